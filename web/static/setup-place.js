// The step of the set-up that says where the dice lie: an outline that is found and put right, or none.
// @ts-check

import { el, mark, put, say } from "./dom.js";
import { Handles } from "./handles.js";
import { busyLine, button, fine, row, simulated, text, troubles } from "./setup-parts.js";

/** @import { Outline } from "./outline.js" */
/** @import { Drawn, SetUpWish, StepHands, Wishes } from "../types/pages.d.ts" */

/**
 * What a finger has moved outlives a repaint, and so does what was doubted.
 * @type {{ picture: string, handles: Handles, about: string, doubted: Drawn | null } | null}
 */
let drawn = null;

/** @param {StepHands} hands */
export function place({ view, wish, busy, live, next }) {
  /**
   * @param {string} key
   * @param {boolean} [main]
   */
  const look = (key, main) => button(key, () => wish({ do: "find-lid" }), { main, disabled: busy });
  const kept = view.done.includes("lid");
  if (!view.picture) {
    const onward = kept
      ? [fine("setup.lid_kept"), row(button("setup.next", next, { main: true }), look("setup.lid_again"))]
      : [look("setup.lid_find", true)];
    return [
      text("setup.lid_lead"),
      ...simulated(view, "setup.emptied"),
      live.stage(kept ? view.kept : []),
      ...troubles(view, "lid"),
      ...busyLine(busy),
      ...onward,
    ];
  }
  if (drawn?.picture !== view.picture) {
    const source = `/api/setup/pictures/lid.jpg?${view.picture}`;
    const handles = new Handles(source, view.shape, view.corners, () => {});
    drawn = { picture: view.picture, handles, about: "", doubted: null };
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

/**
 * An outline that nobody changed is kept as it was found; one that is doubted only if somebody says so.
 * @param {StepHands["view"]} view
 * @param {Outline} outline
 * @param {boolean} anyway
 * @param {Wishes} wish
 * @param {() => void} next
 */
function send(view, outline, anyway, wish, next) {
  const moved = outline.moved || !view.corners_found;
  /** @type {SetUpWish} */
  const wanted = {
    do: "corners",
    shape: outline.shape,
    corners: outline.places.flatMap(({ x, y }) => [x, y]),
    moved,
    anyway,
  };
  wish(wanted, (newest) => newest.doubt || next());
}
