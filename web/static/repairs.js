// What the menu puts right in a game, and who plays: loaded with the menu, not with the sheet.
// @ts-check

import { cellText, colourOf, dialog, el, face, gameOf, mark, say } from "./dom.js";
import { ask } from "./taps.js";

/** @import { PlayerView, ReplayView, StepView, View } from "../types/api.d.ts" */
/** @import { Act, RepairHands, Values, Wish } from "../types/pages.d.ts" */

/**
 * @param {string} text
 * @param {(event: MouseEvent & { currentTarget: HTMLElement }) => unknown} onclick
 * @param {string} [what]
 */
const button = (text, onclick, what = "button") => el(what, { type: "button", onclick }, text);

/**
 * Gives the buttons, the grave ones apart.
 * @param {View} view
 * @param {number} front
 * @param {RepairHands} hands
 */
export function repairs(view, front, hands) {
  const game = gameOf(view);
  /** @param {Wish} wish */
  const act = (wish) => () => (hands.close(), hands.act(wish));
  /**
   * @param {string} text
   * @param {string} key
   * @param {Wish} wish
   * @param {Values} words
   */
  const grave = (text, key, wish, words) =>
    button(text, (event) => ask(event.currentTarget, key, words, act(wish)), "button.danger");
  /** @type {HTMLElement[]} */
  const fix = [];
  /** @type {HTMLElement[]} */
  const people = [];
  /** @type {HTMLElement[]} who plays no more: grave, apart from who comes and goes */
  const never = [];
  /** @type {HTMLElement[]} */
  const graves = [];
  if (game.phase === "over") {
    if (game.dice.length) fix.push(button(say("menu.reopen"), act({ do: "reopen", back: 0 })));
    return { fix, people, graves };
  }
  for (const player of game.players) {
    const { seat, name, helping, presence } = player;
    /** @type {Wish} */
    const done = { do: "done", owner: seat };
    if (seat !== front && helping === "misthrow") {
      graves.push(grave(say("for.misthrow", { name }), "misthrow_for", done, { name }));
    } else if (seat !== front && helping) fix.push(button(say(`for.${helping}`, { name }), act(done)));
    if (presence === "here") {
      people.push(button(say("away.out", { name }), act({ do: "sit-out", owner: seat })));
    } else people.push(button(say("away.in", { name }), act({ do: "come-back", owner: seat })));
    if (presence !== "plays-no-more") {
      never.push(grave(say("away.never", { name }), "retire", { do: "play-no-more", owner: seat }, { name }));
    }
  }
  people.push(el("div.stack.graves", {}, ...never));
  if (game.phase === "roll") {
    fix.push(
      button(
        say("menu.enter_for", { name: game.players[game.active].name }),
        () => (hands.close(), hands.enter()),
      ),
    );
  }
  if (game.dice.length) {
    fix.push(
      button(say(game.phase === "roll" ? "menu.back_turn" : "menu.reopen"), act({ do: "reopen", back: 0 })),
    );
  }
  if (game.number > (game.phase === "roll" ? 2 : 1)) {
    fix.push(button(say("menu.earlier"), () => (hands.close(), turns(view, hands.act))));
  }
  for (const { seat, name } of game.players) {
    fix.push(button(`${say("menu.correct_sheet")}: ${name}`, () => (hands.close(), hands.correct(seat))));
  }
  if (game.board.length) {
    for (const player of game.players) {
      fix.push(
        button(
          say("menu.correct_piece", { name: player.name }),
          () => (hands.close(), space(view, player, hands.act)),
        ),
      );
    }
  }
  return { fix, people, graves };
}

/**
 * Every turn of the game, the newest first: to each one may go back.
 * @param {View} view
 * @param {Act} act
 */
async function turns(view, act) {
  const game = gameOf(view);
  const list = el("ol.turns");
  const box = dialog(say("menu.earlier"), el("p.hint", {}, say("back.hint")), list);
  const answer = await fetch(`/api/history/${game.id}`);
  if (!answer.ok) return list.replaceChildren(el("li", {}, say("line.offline")));
  /** @type {ReplayView} */
  const { steps } = await answer.json();
  const played = steps.filter((step) => step.kind === "turn").reverse();
  /**
   * @param {StepView} step
   * @param {number} back
   */
  const line = (step, back) => {
    const words = { n: step.number, name: game.players[step.active].name };
    const node = button(
      say("back.turn", words),
      (event) =>
        ask(
          event.currentTarget,
          "back",
          words,
          () => (box.close(), act({ do: "reopen", back })),
        ),
    );
    node.append(
      el(
        "span.thrown",
        { "aria-hidden": "true" },
        ...step.dice.map((die) => face(colourOf(die), Number(die[1]))),
      ),
    );
    return el("li", {}, node);
  };
  return list.replaceChildren(...played.map(line));
}

/**
 * Where the piece really stands: one tap on the space.
 * @param {View} view
 * @param {PlayerView} player
 * @param {Act} act
 */
function space(view, player, act) {
  const game = gameOf(view);
  const taken = new Set(
    game.players.filter((other) => other !== player && other.piece).map((other) => other.piece),
  );
  /** @param {number} number */
  const put =
    (number) =>
    () => (box.close(),
      number !== player.piece && act({ do: "correct-piece", owner: player.seat, space: number }));
  /**
   * @param {number} number
   * @param {string | null} cell
   */
  const spot = (number, cell) => {
    const node = el(`button.fix-space${cell ? `.${colourOf(cell)}` : ""}`, {
      type: "button",
      "aria-pressed": String(player.piece === number),
      disabled: taken.has(number),
      onclick: put(number),
    });
    node.append(
      el("small", { "aria-hidden": "true" }, String(number)),
      cell ? `${say(`letter.${colourOf(cell)}`)} ${cell.slice(1)}` : say("board.start"),
    );
    mark(node, "aria-label", cell ? `${number}: ${cellText(cell)}` : say("board.start"));
    return node;
  };
  /** @type {HTMLDialogElement} */
  const box = dialog(
    say("menu.correct_piece", { name: player.name }),
    el("p.hint", {}, say("piece.hint")),
    el("div.fix-spaces", {}, spot(0, null), ...game.board.map((each, place) => spot(place + 1, each.cell))),
  );
}
