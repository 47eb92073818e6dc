// What a phone says around the sheet: the two lines above it, the big button, why a cell is not legal, and
// what happened meanwhile. Knows no rules.
// @ts-check

import {
  $,
  cellName,
  cellText,
  el,
  gameOf,
  knows,
  mark,
  names,
  numberOf,
  put,
  rowText,
  say,
  signed,
} from "./dom.js";
import { cellsOf } from "./sheet.js";
import { means } from "./taps.js";

/** @import { CellView, Change, Eyes, GameView, Offers, OwnView } from "../types/api.d.ts" */
/** @import { PlayerView, View } from "../types/api.d.ts" */
/** @import { Shown } from "../types/pages.d.ts" */

/**
 * The two lines above the sheet: what is going on, and what to do.
 * @param {View} view
 * @param {Shown} own
 * @param {Offers} offers
 * @returns {[string, string]}
 */
export function headline(view, own, offers) {
  const { eyes } = view;
  const game = gameOf(view);
  /** @param {number} seat */
  const name = (seat) => game.players[seat].name;
  // one phone, several people
  const called = view.own.length > 1 && acts(own) ? say("turn.of", { name: name(own.seat) }) : null;
  const whose = own.seat === game.active
    ? ""
    : `${say(called ? "head.rolled" : "head.turn_of", { name: name(game.active) })} · `;
  const waiting = names(game.deciding.filter((seat) => seat !== own.seat).map(name));
  const mine = own.seat === game.active;
  if (own.finish === "back" && !game.drawing) return [say("head.away"), say("head.away_hint")];
  const itself = game.players[game.active].level; // the program is on turn: anybody rolls
  const white = game.dice.length
    ? say("head.white", { a: game.dice[0].pips, b: game.dice[1].pips, sum: game.white_sum })
    : "";
  switch (game.phase) {
    case "roll":
      if (game.drawing) return [say("lobby.drawing"), ""];
      if (eyes.state === "reading") return [say("head.reading"), ""];
      if (eyes.state === "moving") return [say("head.moving"), notice(eyes)];
      if (eyes.state === "ask") return asking(eyes);
      if ((mine || itself) && eyes.state === "trouble") return [say("head.trouble"), notice(eyes)];
      if (mine) return [called ?? say("head.you_roll"), say(ROLL[wayToRoll(offers)])];
      if (itself) {
        return [
          say("head.roll_for", { name: name(game.active) }),
          company(game) || say(ROLL_FOR[wayToRoll(offers)]),
        ];
      }
      return [say("head.rolls", { name: name(game.active) }), rollHint(game, name(game.active))];
    case "first":
      if (own.finish === "waiting" || own.finish === "nothing") {
        const free = own.first || cellsOf(own).some((cell) => cell.legal.includes(1));
        return [
          white,
          whose +
          (free
            ? say("head.can_change", { names: waiting })
            : say("head.none_first", { sum: game.white_sum })),
        ];
      }
      return [
        called ?? white,
        whose + say(mine ? "head.cross_first_active" : "head.cross_first", { sum: game.white_sum }),
      ];
    case "second":
      if (!mine) return [say("head.second_other", { name: name(game.active) }), company(game) || white];
      if (own.finish === "misthrow") {
        return [
          called ?? say("head.second"),
          say(
            cellsOf(own).some((cell) => cell.legal.length) ? "head.second_misthrow" : "head.second_none",
          ),
        ];
      }
      return [called ?? say("head.second"), say("head.second_hint")];
    case "third":
      return mine
        ? [called ?? say("head.third"), say("head.third_hint")]
        : [say("head.third_other", { name: name(game.active) }), company(game) || white];
    default:
      return [say("end.title"), ""];
  }
}

/**
 * @param {GameView} game
 * @param {string} name
 */
function rollHint(game, name) {
  if (game.last_turns !== null) return say("head.last_turns", { n: game.last_turns });
  return game.number === 1 ? say("lobby.first_is", { name }) : company(game) || say("head.roll_other");
}

/**
 * What players of the program crossed in this turn.
 * @param {GameView} game
 */
const company = (game) =>
  game.players
    .filter((player) => player.level && player.fresh.length)
    .map((player) => say("head.crossed", { name: player.name, cells: player.fresh.map(cellText).join(", ") }))
    .join(" · ");

/**
 * What they did between two views, a sentence each: nobody else says it for them.
 * @param {View} view
 * @param {View | null} before
 * @returns {string[]}
 */
function heard(view, before) {
  const [game, old] = [view.game, before?.game];
  if (!game || !old || game.id !== old.id) return [];
  if (JSON.stringify(view.corrected) !== JSON.stringify(before?.corrected)) return [];
  return game.players.flatMap((player, seat) => {
    const was = old.players[seat];
    if (!player.level) return [];
    const cells = crossedBy(player).filter((cell) => !crossedBy(was).includes(cell));
    const texts = cells.length
      ? [say("said.crosses", { name: player.name, cells: names(cells.map(cellText)) })]
      : [];
    return player.misthrows > was.misthrows ? [...texts, say("said.misthrow", { name: player.name })] : texts;
  });
}

/** @param {PlayerView} player */
const crossedBy = (player) => player.rows.flatMap((row) => row.crossed);

/**
 * A doubtful die is tapped; anything else wrong in the lid is put right there.
 * @param {Eyes} eyes
 * @returns {[string, string]}
 */
export function asking(eyes) {
  const kind = eyes.notices[0]?.kind ?? "pips-doubtful";
  if (kind === "pips-doubtful") return [say("head.ask"), say("head.ask_hint")];
  return [say(kind.startsWith("photo-") ? "head.photo" : "head.look"), notice(eyes)];
}

/** @param {Eyes} eyes */
export function notice(eyes) {
  const first = eyes.notices[0];
  if (!first) return "";
  const colour = `die_is.${first.colours[0]}`;
  return say(`notice.${first.kind}`, { die: say(knows(colour) ? colour : "die_is.any") });
}

/**
 * The table waits for this seat, as far as this phone knows.
 * @param {OwnView} own
 */
export const acts = (own) => own.deciding && own.finish !== "waiting";

/**
 * How dice come to the table first here: the big button, the words above it.
 * @param {Offers} offers
 * @returns {"photograph" | "press" | "hand"}
 */
const wayToRoll = (offers) => (offers.photograph_first ? "photograph" : offers.camera ? "press" : "hand");

const ROLL = { photograph: "head.roll_photograph", press: "head.roll_press", hand: "head.roll_hand" };
const ROLL_FOR = {
  photograph: "head.roll_for_photograph",
  press: "head.roll_for_press",
  hand: "head.roll_for_hand",
};

/**
 * What the one big button says and does.
 * @param {View} view
 * @param {Shown} own
 * @param {Offers} offers
 * @returns {[text: string, action: string | null, look: string]}
 */
function finishing(view, own, offers) {
  const game = gameOf(view);
  const third = game.phase === "third";
  switch (own.finish) {
    case "roll":
    case "roll-for": {
      const way = wayToRoll(offers);
      if (way === "photograph") return [say("photo.take"), way, "main"];
      if (way === "hand") return [say("foot.enter"), "enter", "main"];
      const { name } = game.players[game.active];
      return [own.finish === "roll" ? say("foot.rolled") : say("foot.rolled_for", { name }), "press", "main"];
    }
    case "done":
      return [say("foot.done"), "done", "main"];
    case "pass":
      return [say(third ? "foot.stay" : "foot.pass"), "done", "calm"];
    case "misthrow":
      return [say("foot.misthrow"), "done", "danger"];
    case "waiting":
      return [say("foot.changed"), null, "idle"];
    case "back":
      return [say("foot.back"), "back", "main"];
    default:
      return [say("foot.waiting"), null, "idle"];
  }
}

/**
 * Whether Undo takes the whole Done back: nobody has rolled or decided since. While action 1 is open, a
 * choice first.
 * @param {OwnView} own
 * @param {View} view
 */
export const undoesDone = (own, view) => own.undo_done && !(gameOf(view).phase === "first" && own.undo);

/**
 * `next`: the seat of this phone that has to decide after this one.
 * @param {View} view
 * @param {Shown} own
 * @param {Offers} offers
 * @param {number} [next]
 */
export function paintFooter(view, own, offers, next) {
  let [text, action, look] = finishing(view, own, offers);
  if (action === null && next !== undefined) {
    [text, action, look] = [`${say("turn.of", { name: view.seats[next].name })} ›`, "next", "main"];
  }
  const button = $("finish");
  means(button, `${own.seat} ${view.moment} ${action}`, look === "danger");
  put(button, text);
  mark(button, "data-look", look);
  mark(button, "aria-disabled", action === null || null);
  button.dataset.action = action ?? "";
  const undo = $("undo");
  mark(undo, "aria-disabled", !(own.undo || own.undo_done) || null);
  means(
    undo,
    `${own.seat} ${view.moment} ${own.undo_done} ${own.undo && (own.second ?? own.first ?? own.landing)}`,
  );
  mark($("misthrows"), "aria-label", say("foot.misthrows", { n: own.misthrows }));
  [...$("misthrows").children].forEach((box, place) => {
    box.classList.toggle("marked", place < own.misthrows);
    box.classList.toggle("next", look === "danger" && place === own.misthrows);
  });
  put($("score"), own.score === null ? "" : signed(own.score));
  mark($("score"), "aria-label", own.score === null ? null : say("foot.score", { n: own.score }));
}

/**
 * Why a tapped cell is not legal, in words.
 * @param {Partial<Pick<CellView, "cell" | "state">> & Pick<CellView, "why">} cell
 * @param {View} view
 * @param {OwnView} own
 */
export function reason(cell, view, own) {
  const game = gameOf(view);
  const name = game.players[game.active].name;
  if (cell.why) {
    const { why } = cell;
    return say(`why.${why.kind}`, {
      cell: cellText(why.cell),
      other: why.other ? numberOf(why.other) : "",
      needs: why.needs,
      has: why.has,
      row: why.lock ? rowText(why.lock) : "",
    });
  }
  if (game.phase === "over") return say("why.over");
  if (game.phase === "third" && own.seat === game.active) {
    return say(`why.${cell.state === "crossed" ? "crossed" : "no-landing"}`, {
      cell: cellText(cell.cell ?? ""),
    });
  }
  if (game.phase === "roll") return own.seat === game.active ? say("why.roll") : say("why.not-now", { name });
  return say("why.not-now", { name });
}

/** @type {Record<string, (change: Change) => string>} */
const CHANGED = {
  die: ({ colour, before, after }) => `${say(`colour.${colour}`)} ${before} → ${after}`,
  cross: (
    { before, after },
  ) => (after
    ? say("changed.crossed", { cell: cellText(after) })
    : say("changed.erased", { cell: cellText(before ?? "") })),
  misthrows: ({ before, after }) => say("others.misthrows", { n: `${before} → ${after}` }),
  piece: ({ before, after }) => `${space(before)} → ${space(after)}`,
};

/** @param {string | null} cell */
const space = (cell) => (cell ? cellName(cell) : say("board.start"));

/**
 * What was put right since the last roll, and by whom: everybody sees it. Of more than `most` changes none
 * is named.
 * @param {View} view
 * @param {number} [most]
 */
export function corrected(view, most = Infinity) {
  if (!view.corrected) return "";
  const { kind, seat, owner, turn, changes } = view.corrected;
  /** @param {number} each */
  const name = (each) => view.game?.players[each]?.name ?? "";
  const what = say(`corrected.${kind}`, { name: name(seat), owner: owner === null ? "" : name(owner), turn });
  return changes.length && changes.length <= most
    ? say("corrected.changes", {
      what,
      changes: changes.map((change) => CHANGED[change.what](change)).join(", "),
    })
    : `${what}.`;
}

// --- what happened --------------------------------------------------------------------------------------

/**
 * What everybody hears of the step from one view to the next, a sentence each.
 * @param {View} view
 * @param {View | null} before
 * @returns {string[]}
 */
export function happened(view, before) {
  const [game, was] = [view.game, before?.game];
  if (!game || !was || was.id !== game.id) return [];
  const texts = game.players
    .filter(({ seat, presence }) => presence !== was.players[seat].presence)
    .map(({ name, presence }) => say(`away.${presence}`, { name }));
  for (const name of game.closed) {
    if (!was.closed.includes(name)) texts.push(say("said.closed", { row: rowText(name) }));
  }
  if (game.phase === "first" && was.phase !== "first") {
    texts.push(say("said.white", { sum: game.white_sum }));
  }
  if (game.last_turns !== null && was.last_turns === null) texts.push(say("said.last_round"));
  return [...texts, ...heard(view, before)];
}

/** @param {GameView} game */
const rolls = (game) => game.number - (game.phase === "roll" ? 1 : 0);

/**
 * How many rolls came and went between two views of a game, unseen.
 * @param {View} view
 * @param {View | null} before
 */
export function rollsBetween({ game }, before) {
  if (!game || before?.game?.id !== game.id) return 0;
  return rolls(game) - rolls(before.game) - (game.phase === "first" ? 1 : 0);
}

/**
 * Whose turn it is, for the ears.
 * @param {GameView} game
 */
export function turnText(game) {
  const { level, name } = game.players[game.active];
  return say(level ? "said.roll_for" : "said.turn", { name });
}

// --- several seats --------------------------------------------------------------------------------------

/**
 * A tab for each seat of this phone, where it holds several.
 * @param {View} view
 * @param {number} front
 * @param {(seat: number) => void} choose
 */
export function paintTabs(view, front, choose) {
  const tabs = $("tabs");
  mark(tabs, "hidden", view.own.length < 2 || null);
  if (view.own.length < 2) return;
  const key = view.own.map((own) => `${own.seat}${own.deciding}`).join() + front;
  if (tabs.dataset.key === key) return;
  tabs.dataset.key = key;
  tabs.replaceChildren(
    ...view.own.map((own) => {
      const { mark: shape, name } = view.seats[own.seat];
      return el(
        `button.tab${own.deciding ? ".deciding" : ""}`,
        {
          type: "button",
          role: "tab",
          "aria-selected": String(own.seat === front),
          onclick: () => choose(own.seat),
        },
        el(`span.mark.${shape}`, { "aria-hidden": "true" }),
        name,
      );
    }),
  );
}
