// One picture of the result, to keep or to send: drawn here, saved as a file. No other page or program is
// needed.
// @ts-check

import { data, dialog, el, gameOf, say, signed } from "./dom.js";
import { parts, verdict } from "./end.js";

/** @import { View } from "../types/api.d.ts" */
/** @import { Reckoned } from "../types/pages.d.ts" */

const [WIDTH, EDGE, LINE] = [1080, 64, 84];
const FONT = 'ui-rounded, "SF Pro Rounded", system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif';
const INK = {
  paper: "#f3f1ea",
  card: "#ffffff",
  text: "#17191f",
  soft: "#555a66",
  edge: "#d5d1c4",
  crown: "#b07d00",
  won: "#fff0c2",
};
/** @type {Record<string, [ground: string, on: string]>} */
const COLOURS = {
  red: ["#8c1024", "#fff"],
  yellow: ["#ffdd33", "#2b2300"],
  green: ["#35b58a", "#04231a"],
  blue: ["#1f4fa3", "#fff"],
};

/** @param {View} view */
export function showPicture(view) {
  const canvas = draw(view);
  const day = new Date();
  const date = [day.getFullYear(), day.getMonth() + 1, day.getDate()];
  const name = `qwixx-${date.map((part) => String(part).padStart(2, "0")).join("-")}.png`;
  const save = el("a.button.main", { download: name, "aria-disabled": true }, say("end.picture_save"));
  const box = dialog(say("end.picture"), canvas, el("p.dialog-foot", {}, save));
  canvas.toBlob((blob) => {
    if (!blob) return; // too large for this browser: there is nothing to save
    save.href = URL.createObjectURL(blob);
    save.removeAttribute("aria-disabled");
  }, "image/png");
  box.addEventListener("close", () => URL.revokeObjectURL(save.href));
}

/** @param {View} view */
function draw(view) {
  const game = gameOf(view);
  const { title, why } = verdict(view);
  const rows = parts(view);
  const top = 330;
  const height = top + LINE * (rows.length + 2) + 190;
  const canvas = el("canvas.result", {
    width: WIDTH,
    height,
    role: "img",
    "aria-label": [
      title,
      why,
      ...game.end.map((end) => `${game.players[end.seat].name}: ${signed(end.total)}`),
    ].join(" "),
  });
  const pen = new Pen(/** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")));
  pen.box(0, 0, WIDTH, height, INK.paper);
  dice(pen);
  pen.text("Qwixx", EDGE + 118, 96, { size: 44, weight: 800 });
  pen.text(new Date().toLocaleDateString(data.language, { dateStyle: "long" }), WIDTH - EDGE, 96, {
    size: 32,
    colour: INK.soft,
    align: "right",
    room: 560,
  });
  pen.text(title, EDGE, 216, { size: 76, weight: 800, room: WIDTH - 2 * EDGE });
  pen.text(why, EDGE, 274, { size: 34, colour: INK.soft, room: WIDTH - 2 * EDGE });
  table(pen, view, rows, top);
  pen.text("Boxlid", WIDTH / 2, height - 44, { size: 28, weight: 700, colour: INK.soft, align: "center" });
  return canvas;
}

/** @param {Pen} pen */
function dice(pen) {
  Object.values(COLOURS).forEach(([colour], place) =>
    pen.box(EDGE + 48 * (place % 2), 48 + 48 * Math.floor(place / 2), 42, 42, colour, 11)
  );
}

/**
 * @param {Pen} pen
 * @param {View} view
 * @param {Reckoned[]} rows
 * @param {number} top
 */
function table(pen, view, rows, top) {
  const game = gameOf(view);
  const [left, across] = [EDGE + 280, (WIDTH - 2 * EDGE - 296) / game.end.length];
  /** @param {number} place */
  const middle = (place) => left + across * (place + 0.5);
  const bottom = top + LINE * (rows.length + 2) + 46;
  pen.box(EDGE - 24, top - 8, WIDTH - 2 * EDGE + 48, bottom - top + 8, INK.card, 36);
  game.end.forEach((end, place) => {
    const won = game.winners.includes(end.seat);
    if (won) {
      pen.box(left + across * place + 4, top + 4, across - 8, bottom - top - 16, INK.won, 24);
      pen.crown(middle(place), top + 24);
    }
    pen.text(game.players[end.seat].name, middle(place), top + 84, {
      size: 34,
      weight: 700,
      align: "center",
      room: across - 20,
    });
  });
  rows.forEach(({ lock, title, points }, place) => {
    const y = top + LINE * (place + 1) + 66;
    if (lock) {
      const [ground, on] = COLOURS[lock];
      pen.box(EDGE, y - 42, 54, 54, ground, 14);
      pen.text(say(`letter.${lock}`), EDGE + 27, y - 2, {
        size: 30,
        weight: 800,
        colour: on,
        align: "center",
      });
    }
    pen.text(title, lock ? EDGE + 74 : EDGE, y, { size: 36, room: lock ? 200 : 270 });
    game.end.forEach((end, at) =>
      pen.text(signed(points(end)), middle(at), y, { size: 38, align: "center" })
    );
  });
  const y = top + LINE * (rows.length + 1) + 74;
  pen.box(EDGE, y - 62, WIDTH - 2 * EDGE, 3, INK.edge);
  pen.text(say("end.total"), EDGE, y, { size: 40, weight: 800, room: 270 });
  game.end.forEach((end, at) =>
    pen.text(signed(end.total), middle(at), y, { size: 56, weight: 800, align: "center", room: across - 12 })
  );
}

/** The few things that are drawn; text shrinks to the room it has. */
class Pen {
  /** @param {CanvasRenderingContext2D} context */
  constructor(context) {
    this.context = context;
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   * @param {string} colour
   * @param {number} [round]
   */
  box(x, y, width, height, colour, round = 0) {
    this.context.fillStyle = colour;
    this.context.beginPath();
    this.context.roundRect(x, y, width, height, round);
    this.context.fill();
  }

  /**
   * @param {string} text
   * @param {number} x
   * @param {number} y
   * @param {{ size: number, weight?: number, colour?: string, align?: CanvasTextAlign, room?: number }} style
   */
  text(text, x, y, { size, weight = 500, colour = INK.text, align = "left", room = Infinity }) {
    const { context } = this;
    context.fillStyle = colour;
    context.textAlign = align;
    context.font = `${weight} ${size}px ${FONT}`;
    const fits = Math.min(1, room / context.measureText(text).width);
    context.font = `${weight} ${Math.max(12, Math.floor(size * fits))}px ${FONT}`;
    context.fillText(text, x, y, room === Infinity ? undefined : room);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  crown(x, y) {
    const points = [[-24, 4], [-12, 18], [0, 0], [12, 18], [24, 4], [19, 36], [-19, 36]];
    const { context } = this;
    context.fillStyle = INK.crown;
    context.beginPath();
    for (const [along, down] of points) context.lineTo(x + along, y - 8 + down);
    context.fill();
  }
}
