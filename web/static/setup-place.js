// The step of the set-up that says where the dice lie: an outline that is found and put right, or none.

import { el, mark, put, say } from "./dom.js";
import { Handles } from "./handles.js";
import { busyLine, button, fine, row, simulated, text, troubles } from "./setup-parts.js";

let drawn = { picture: "", handles: null, about: "", doubted: null }; // what a finger has moved outlives a repaint, and so does what was doubted

export function place({ view, wish, busy, live, next }) {
  const look = (key, main) => button(key, () => wish({ do: "find-lid" }), { main, disabled: busy });
  const kept = view.done.includes("lid");
  if (!view.picture) {
    const onward = kept
      ? [fine("setup.lid_kept"), row(button("setup.next", next, { main: true }), look("setup.lid_again"))]
      : [look("setup.lid_find", true)];
    return [
      text("setup.lid_lead"),
      ...simulated(view, "setup.emptied"),
      live.stage(kept ? view.corners : []),
      ...troubles(view, "lid"),
      ...busyLine(busy),
      ...onward,
    ];
  }
  if (drawn.picture !== view.picture) {
    drawn = {
      picture: view.picture,
      handles: new Handles(`/api/setup/pictures/lid.jpg?${view.picture}`, view.shape, view.corners, () => {}),
    };
  }
  const { handles } = drawn;
  const { outline } = handles;
  const about = JSON.stringify([view.doubt, view.corners]);
  if (drawn.about !== about) drawn = { ...drawn, about, doubted: view.doubt && outline.now };
  const { doubted } = drawn;
  const keep = button("setup.lid_ok", () => send(view, outline, doubted === outline.now, wish, next), {
    main: true,
    disabled: busy,
  });
  const wrong = el("p.trouble", { role: "alert", hidden: true });
  const doubt = view.doubt
    ? el("p.trouble", { role: "alert" }, say("setup.doubt", { n: view.doubt.seen, held: view.doubt.held }))
    : null;
  const hinted = el("p.hint", { id: "corners-hint" });
  handles.changed = () => {
    const stands = doubted === outline.now;
    mark(wrong, "hidden", !outline.fault);
    put(wrong, outline.fault && say(`error.${outline.fault}`));
    if (doubt) mark(doubt, "hidden", !stands);
    put(keep, say(stands ? "setup.outline_anyway" : "setup.lid_ok"));
    put(hinted, say(`setup.hint_${outline.shape}`));
    keep.disabled = Boolean(outline.fault) || busy;
  };
  handles.changed();
  return [
    text(view.corners_found ? "setup.lid_found" : "setup.lid_place"),
    ...troubles(view, "lid"),
    handles.kinds,
    handles.stage,
    handles.tools,
    hinted,
    wrong,
    ...(doubt ? [doubt] : []),
    ...busyLine(busy),
    row(keep, look("setup.lid_again")),
  ];
}

/** An outline that nobody changed is kept as it was found; one that is doubted only if somebody says so. */
function send(view, outline, anyway, wish, next) {
  const moved = outline.moved || !view.corners_found;
  const wanted = {
    do: "corners",
    shape: outline.shape,
    corners: outline.places.flatMap(({ x, y }) => [x, y]),
    moved,
    anyway,
  };
  wish(wanted, (newest) => newest.doubt || next());
}
