// The dice strip and the pads: see the roll, put a die right, enter a whole roll.
// @ts-check

import { cellText, colourOf, dialog, el, face, gameOf, mark, say } from "./dom.js";
import { means } from "./taps.js";

/** @import { DieView, Offers, View } from "../types/api.d.ts" */
/** @import { DiceWishes, Shown } from "../types/pages.d.ts" */

/** @type {Record<string, string>} */
const LETTERS = { white: "W", red: "R", yellow: "Y", green: "G", blue: "B" };
/** @param {{ colour: string, pips: number | null }[]} dice */
const notation = (dice) => dice.map((die) => `${LETTERS[die.colour]}${die.pips}`).join(" ");

export class Dice {
  /**
   * @param {HTMLElement} root
   * @param {DiceWishes} wishes
   */
  constructor(root, wishes) {
    this.root = root;
    this.wishes = wishes;
    this.last = "";
    this.moment = "";
    this.seen = false; // whether there is a page of what was seen
    /** @type {HTMLDialogElement | null} */
    this.pad = null;
  }

  /**
   * @param {View} view
   * @param {Shown | null} own
   * @param {Offers} offers
   */
  paint(view, own, offers) {
    this.seen = offers.seen;
    const { eyes } = view;
    const game = gameOf(view);
    const asking = game.phase === "roll" && eyes.state === "ask";
    const rolling = ["roll", "roll-for"].includes(own?.finish ?? "") && !asking;
    const key = JSON.stringify([
      game.dice,
      game.phase,
      own?.finish,
      own?.seat === game.active,
      own?.corrects,
      asking && eyes.dice,
      game.closed,
      own?.landings,
      own?.landing,
      own?.hinted_space,
      noCamera(view, offers),
    ]);
    if (key === this.last) return;
    this.last = key;
    if (this.pad?.open && this.moment !== view.moment) this.pad.close();
    this.moment = view.moment;
    const landing = game.phase === "third" && own?.seat === game.active ? own : null;
    means(this.root, landing ? "land" : asking ? "answer" : rolling ? "roll" : "correct");
    if (landing) this.paintLandings(view, landing);
    else if (asking) this.paintAsked(view, offers);
    else if (rolling) this.paintRoll(view, offers);
    else this.paintDice(view, own);
  }

  /**
   * @param {View} view
   * @param {Shown | null} own
   */
  paintDice(view, own) {
    const game = gameOf(view);
    const sums = own?.seat === game.active && ["first", "second"].includes(game.phase);
    mark(this.root, "data-old", game.phase === "roll" || null);
    /** @type {HTMLElement[]} */
    const nodes = game.dice.map((die, place) => {
      const hand = die.by_hand ? `, ${say("die.by_hand")}` : "";
      const text = say(own?.corrects ? "die.change" : "die.label", {
        colour: say(`dice.${die.colour}`),
        pips: die.pips,
      });
      const extra = sums && die.sums.length ? `, ${say("die.sums", { sums: die.sums.join(", ") })}` : "";
      const gone = game.closed.includes(die.colour);
      const below = sums && !gone
        ? die.sums.join(" · ")
        : die.colour === "white"
        ? ""
        : say(`letter.${die.colour}`);
      const button = el(`button.die.${die.colour}${gone ? ".gone" : ""}`, {
        type: "button",
        "aria-label": text + hand + extra,
        onclick: () => this.correct(view, own, place),
      });
      button.append(face(die.colour, die.pips), el("span.below", { "aria-hidden": "true" }, below));
      if (die.by_hand) button.append(el("i.hand", { "aria-hidden": "true" }, "✎"));
      return button;
    });
    if (game.dice.length) {
      const sum = el("output.sum", { "aria-hidden": "true" }, String(game.white_sum));
      nodes.splice(2, 0, sum);
    }
    this.root.replaceChildren(...nodes);
  }

  /**
   * @param {View} view
   * @param {Offers} offers
   */
  paintRoll(view, offers) {
    mark(this.root, "data-old", null);
    /**
     * @param {string} key
     * @param {() => unknown} action
     */
    const button = (key, action) => el("button.roll-way", { type: "button", onclick: action }, say(key));
    const ways = [button("roll.virtual", () => this.wishes.virtual())];
    if (offers.camera || offers.photograph_first) {
      ways.unshift(button("roll.by_hand", () => this.enter(view)));
    }
    if (offers.photograph_first) {
      if (offers.camera) ways.unshift(button("foot.rolled", () => this.wishes.press()));
    } else if (offers.photograph) {
      const photo = button("photo.take", () => this.wishes.photograph());
      if (noCamera(view, offers)) ways.unshift(photo);
      else ways.push(photo);
    }
    this.root.replaceChildren(...ways);
  }

  /**
   * Action 3 of On Board: the free spaces ahead that may be landed on.
   * @param {View} view
   * @param {Shown} own
   */
  paintLandings(view, own) {
    const game = gameOf(view);
    mark(this.root, "data-old", null);
    const ways = own.landings.map((number) => {
      const space = game.board[number - 1];
      const colour = colourOf(space.cell);
      const crossed = own.rows.some((row) =>
        row.cells.some((cell) => cell.cell === space.cell && cell.state === "crossed")
      );
      const what = say("board.space", { n: number, cell: cellText(space.cell), points: space.points });
      const label = crossed ? `${what}, ${say("board.crossed")}` : what;
      const settings = {
        type: "button",
        "aria-label": label,
        "aria-pressed": String(own.landing === number),
        "data-hint": own.hinted_space === number || null,
        onclick: () => this.wishes.move(number),
      };
      return el(
        `button.landing.${colour}`,
        settings,
        el("small", { "aria-hidden": "true" }, `${say("board.step", { n: game.reach.indexOf(number) + 1 })}`),
        el(
          crossed ? "b.crossed" : "b",
          { "aria-hidden": "true" },
          `${say(`letter.${colour}`)} ${space.cell.slice(1)}`,
        ),
        el("small", { "aria-hidden": "true" }, say("board.points", { n: space.points })),
      );
    });
    this.root.replaceChildren(...ways);
  }

  /**
   * The camera is unsure: the dice as far as read; the doubtful ones are tapped.
   * @param {View} view
   * @param {Offers} offers
   */
  paintAsked(view, offers) {
    mark(this.root, "data-old", null);
    /** @type {HTMLElement[]} */
    const nodes = view.eyes.dice.map((die) => {
      const settings = {
        type: "button",
        "aria-label": say("die.change", { colour: say(`dice.${die.colour}`), pips: die.pips ?? "?" }),
        onclick: () => this.enter(view),
      };
      return el(
        `button.die.${die.colour}${die.doubtful ? ".doubtful" : ""}`,
        settings,
        face(die.colour, die.pips),
        el("span.below", { "aria-hidden": "true" }, die.doubtful ? "?" : ""),
      );
    });
    if (!nodes.length) {
      nodes.push(
        el("button.roll-way", { type: "button", onclick: () => this.enter(view) }, say("roll.by_hand")),
      );
    }
    if (offers.photograph) {
      nodes.push(
        el(nodes.length > 1 ? "button.roll-way.again" : "button.roll-way", {
          type: "button",
          "aria-label": say("photo.again_label"),
          onclick: () => this.wishes.photograph(),
        }, say("photo.again")),
      );
    }
    this.root.replaceChildren(...nodes);
  }

  /**
   * @param {View} view
   * @param {Shown | null} own
   * @param {number} place
   */
  correct(view, own, place) {
    const game = gameOf(view);
    if (!own?.corrects) {
      this.wishes.refuse(say("pad.not_now", { name: game.players[game.active].name }));
      return;
    }
    const die = game.dice[place];
    const asked = view.eyes.dice.filter((each) => each.colour === die.colour);
    const crop = asked[die.colour === "white" ? place : 0]?.crop;
    /** @param {number} pips */
    const choose = (pips) => {
      this.pad?.close();
      const dice = game.dice.map((each, other) => (other === place ? { ...each, pips } : each));
      if (pips !== die.pips) this.wishes.correct(notation(dice));
    };
    const seen = crop
      ? el("img.crop", {
        src: `/api/crops/${encodeURIComponent(crop)}.jpg`,
        alt: say("pad.seen"),
        width: 96,
        height: 96,
      })
      : null;
    this.pad = dialog(
      say("pad.title", { die: say(`die_is.${die.colour}`) }),
      el("p.hint", {}, say("pad.which")),
      seen,
      keys(die.colour, die.pips, choose),
      this.seen ? el("p.dialog-foot", {}, el("a.button", { href: "/seen" }, say("menu.seen"))) : null,
    );
  }

  /**
   * The same pad for a whole roll: die after die, filled with what the camera is sure of.
   * @param {View} view
   */
  enter(view) {
    const { eyes } = view;
    const game = gameOf(view);
    const read = eyes.state === "ask" ? eyes.dice.filter((die) => die.pips && !die.doubtful) : [];
    const dice = game.in_play.map((colour) => {
      const found = read.findIndex((die) => die.colour === colour);
      return { colour, pips: found >= 0 ? read.splice(found, 1)[0].pips : null };
    });
    const slots = el("div.slots");
    const pad = el("div.pad-place");
    const crops = [...eyes.dice].filter((die) => die.doubtful && die.crop);
    let here = Math.max(0, dice.findIndex((die) => !die.pips));
    const send = el("button.main", {
      type: "button",
      onclick: () => (this.pad?.close(), this.wishes.roll(notation(dice))),
    }, say("pad.send"));
    const paint = () => {
      slots.replaceChildren(
        ...dice.map((die, place) =>
          el(`button.die.${die.colour}`, {
            type: "button",
            "aria-current": place === here ? "true" : null,
            "aria-label": say("die.label", { colour: say(`dice.${die.colour}`), pips: die.pips ?? "?" }),
            onclick: () => ((here = place), paint()),
          }, face(die.colour, die.pips))
        ),
      );
      const crop = crops.find((die) => die.colour === dice[here].colour)?.crop;
      pad.replaceChildren(
        ...(crop
          ? [
            el("img.crop", {
              src: `/api/crops/${encodeURIComponent(crop)}.jpg`,
              alt: say("pad.seen"),
              width: 96,
              height: 96,
            }),
          ]
          : []),
        keys(dice[here].colour, dice[here].pips, choose),
      );
      send.disabled = dice.some((die) => !die.pips);
    };
    /** @param {number} pips */
    const choose = (pips) => {
      dice[here].pips = pips;
      const next = dice.findIndex((die) => !die.pips);
      if (next >= 0) here = next;
      paint();
      if (next < 0) send.focus();
      else pad.querySelector("button")?.focus();
    };
    paint();
    this.pad = dialog(say("pad.roll"), slots, pad, el("p.dialog-foot", {}, send));
  }
}

/**
 * A table with no camera of its own, or with one in trouble: a phone's is the next best.
 * @param {View} view
 * @param {Offers} offers
 */
const noCamera = ({ eyes }, offers) =>
  Boolean(offers.photograph && (offers.simulated || !offers.camera || eyes.state === "trouble"));

/**
 * @param {string} colour
 * @param {number | null} now
 * @param {(pips: number) => void} choose
 */
function keys(colour, now, choose) {
  return el(
    "div.keys",
    {},
    ...[1, 2, 3, 4, 5, 6].map((pips) =>
      el(
        "button.key",
        {
          type: "button",
          "aria-pressed": String(pips === now),
          "aria-label": say("die.label", { colour: say(`dice.${colour}`), pips }),
          onclick: () => choose(pips),
        },
        face(colour, pips),
        el("b", { "aria-hidden": "true" }, String(pips)),
      )
    ),
  );
}
