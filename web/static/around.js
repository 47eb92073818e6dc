// Everything around the sheet: lobby, banners, others' sheets, menu, and the end.

import { $, cellText, data, dialog, el, mark, names, put, say } from "./dom.js";

const colour = (name) => say(`colour.${name}`);
const button = (text, onclick, what = "button") => el(what, { type: "button", onclick }, text);

export class Around {
  constructor(hands) {
    this.hands = hands; // {act, toast, link, post, offers, enter}
    this.last = {};
    this.speaks = false;
    $("menu").addEventListener("click", () => this.menu());
    $("others").addEventListener("click", () => this.others());
  }

  get view() {
    return this.hands.link.message.view;
  }

  paint(message, screen, front) {
    this.front = front;
    const { view } = message;
    this.once("marks", [view.seats, view.game?.deciding, view.game?.active, view.game?.drawing], () => this.paintMarks(view));
    const own = view.own.find((each) => each.seat === front);
    this.once("banners", [message.asks, view.corrected, view.game?.announced, view.game?.take_out, view.game?.phase, view.game?.number, view.game?.deciding, own?.lost, own?.second_holds, view.game?.moving_on, screen, front], () => this.paintBanners(message, screen));
    mark($("lobby"), "hidden", screen !== "lobby" || null);
    mark($("end"), "hidden", screen !== "over" || null);
    if (screen === "lobby") {
      put($("headline"), say("lobby.title"));
      put($("hint"), say("lobby.hint", { n: view.seats.length }));
      this.once("lobby", [view.seats, message.boards], () => this.paintLobby(view));
    } else this.last.lobby = null;
    this.followOthers?.(view);
    if (screen === "over") this.once("end", [view.game, view.series], () => this.paintEnd(view));
  }

  /** The end and corrections are loaded when they are needed, not with the sheet. */
  async paintEnd(view) {
    const { paintEnd } = await import("./end.js");
    paintEnd($("end"), view, (wish) => this.hands.act(wish));
  }

  async correct(view, seat) {
    const { correctSheet } = await import("./correct.js");
    correctSheet(view, seat, (sheet) => this.hands.act({ do: "correct-sheet", owner: seat, sheet, helping: true }));
  }

  /** The same announcements aloud, for who wants them. */
  speak(text) {
    if (!this.speaks) return;
    const words = new SpeechSynthesisUtterance(text);
    words.lang = data.language;
    speechSynthesis.speak(words);
  }

  once(what, parts, paint) {
    const key = JSON.stringify(parts);
    if (this.last[what] === key) return;
    this.last[what] = key;
    paint();
  }

  /** The marks of all players: who is on turn, who still decides. */
  paintMarks(view) {
    const grid = el("span.mark-grid", { "aria-hidden": "true" });
    for (const seat of view.seats) {
      const node = el(`span.mark.${seat.mark}`);
      if (view.game?.deciding.includes(seat.seat) && !view.game.drawing) node.classList.add("deciding");
      if (view.game?.active === seat.seat && view.game.phase !== "over" && !view.game.drawing) node.classList.add("active");
      grid.append(node);
    }
    $("others").replaceChildren(grid);
  }

  // --- banners ------------------------------------------------------------------------------------

  paintBanners(message, screen) {
    const { view, asks } = message;
    const { game } = view;
    const list = [];
    if (data.pictures_kept && screen === "lobby") list.push(banner("calm", say("banner.pictures", { n: data.pictures_kept })));
    for (const ask of asks) {
      if (!ask.answer) continue;
      const answer = (yes) => this.hands.post(`/api/asks/${ask.id}`, { yes });
      list.push(banner("ask", say("banner.ask_seat", { name: ask.name }), button(say("banner.yes", { name: ask.name }), () => answer(true)), button(say("banner.no"), () => answer(false))));
    }
    if (game && screen === "game") {
      const own = view.own.find((each) => each.seat === this.front);
      if (view.corrected) list.push(banner("calm", corrected(view)));
      const mine = game.announced.filter((closing) => closing.seat === this.front).map((closing) => closing.colour);
      const closes = game.announced.length > 1 ? "banner.closes_short" : "banner.closes";
      for (const { seat, colour: name } of game.announced) {
        if (seat !== this.front && mine.includes(name)) continue; // closing it too: nothing to answer
        const words = { name: game.players[seat].name, colour: colour(name) };
        list.push(banner(`closing.${name}`, say(seat === this.front ? "banner.you_close" : closes, words)));
      }
      for (const name of game.take_out) list.push(banner(`closing.${name}`, say("banner.take_out", { die: say(`die_it.${name}`) })));
      if (own?.lost.length) list.push(banner("warn", say("banner.lost", { cells: names(own.lost.map(cellText)) })));
      if (own && !own.second_holds) list.push(banner("warn", say("banner.second_lost")));
      if (game.moving_on) list.push(banner("warn", say("banner.moving_on", { name: game.players[game.active].name })));
      if (own && game.patience && game.phase === "first" && game.active === this.front && !own.deciding && !game.moving_on) {
        list.push(banner("calm", say("head.waiting", { names: names(game.deciding.map((seat) => game.players[seat].name)) }), button(say("foot.move_on"), () => this.hands.act({ do: "move-on" }))));
      }
    }
    $("banners").replaceChildren(...list);
  }

  // --- lobby --------------------------------------------------------------------------------------

  paintLobby(view) {
    const order = view.seats.map((seat) => seat.seat);
    const swap = (a, b) => {
      [order[a], order[b]] = [order[b], order[a]];
      this.hands.act({ do: "order", order });
    };
    const list = el("ol.seats");
    view.seats.forEach((seat, place) => {
      const line = el("li", {}, el(`span.mark.${seat.mark}`, { "aria-hidden": "true" }), el("span.seat-name", {}, seat.name, seat.mine ? el("small", {}, ` ${say("lobby.you")}`) : null));
      if (place > 0) line.append(arrow("up", say("lobby.up", { name: seat.name }), () => swap(place - 1, place)));
      if (place < view.seats.length - 1) line.append(arrow("down", say("lobby.down", { name: seat.name }), () => swap(place, place + 1)));
      line.append(arrow("leave", `${say("lobby.leave")}: ${seat.name}`, () => this.hands.act({ do: "leave", owner: seat.seat })));
      list.append(line);
    });
    const form = startForm(view, this.hands);
    keepChoices($("lobby").querySelector(".start-form"), form);
    const add = view.seats.length < 5 ? el("a.button", { href: "/join?add=1" }, say("join.add")) : null;
    const invite = el("details.invite", {}, el("summary", {}, say("lobby.invite")), el("img.qr", { src: "/qr.svg", width: 200, height: 200, alt: say("table.qr") }), el("p.hint", {}, data.address.replace("http://", "")));
    $("lobby").replaceChildren(el("p.hint", {}, say("lobby.order")), list, add, invite, form);
  }

  // --- others -------------------------------------------------------------------------------------

  /** Everybody's sheets, and the board where there is one: it is loaded when somebody asks for it. */
  async others() {
    if (!this.view.game) return;
    const { board } = this.view.game.board.length ? await import("./board.js") : {};
    if (this.followOthers) return; // a second tap while the board was loaded
    const sheets = el("div");
    const shown = dialog(say("others.title"), sheets);
    this.last.others = null;
    this.followOthers = (view) => {
      if (!view.game) shown.close();
      else this.once("others", [view.game, view.seats], () => sheets.replaceChildren(...(board && view.game.board.length ? [board(view, 10)] : []), ...view.game.players.map((player) => playerCard(view, player))));
    };
    shown.addEventListener("close", () => (this.followOthers = null));
    this.followOthers(this.view);
  }

  // --- menu ---------------------------------------------------------------------------------------

  menu() {
    const { view } = this;
    const { game } = view;
    const act = (wish) => () => (box.close(), this.hands.act(wish));
    const sure = (text, wish) => {
      const node = button(text, () => {
        if (node.dataset.sure) return act(wish)();
        node.dataset.sure = "yes";
        put(node, `${text} – ${say("menu.sure")}`);
      });
      return node;
    };
    const fix = [];
    if (game && game.phase !== "over") {
      if (game.phase === "roll") fix.push(button(say("menu.enter_for", { name: game.players[game.active].name }), () => (box.close(), this.hands.enter())));
      if (game.dice.length) fix.push(button(say(game.phase === "roll" ? "menu.back_turn" : "menu.reopen"), act({ do: "reopen", back: 0 })));
      for (const seat of game.deciding) if (seat !== this.front) fix.push(button(`${say("menu.play_for")} ${game.players[seat].name}: ${say("foot.pass")}`, act({ do: "done", owner: seat })));
      for (const player of game.players) fix.push(button(`${say("menu.correct_sheet")}: ${player.name}`, () => (box.close(), this.correct(view, player.seat))));
      fix.push(sure(say("menu.stop"), { do: "stop" }));
    }
    if (game?.phase === "over" && game.dice.length) fix.push(button(say("menu.reopen"), act({ do: "reopen", back: 0 })));
    for (const seat of view.seats) if (seat.held && !seat.mine) fix.push(sure(`${say("menu.free")} ${seat.name}`, { do: "free", owner: seat.seat }));
    if (data.setup) fix.push(el("a.button", { href: "/setup" }, say("menu.setup")));
    fix.push(sure(say("menu.leave"), { do: "free", owner: this.front }));
    const languages = document.querySelector(".languages-here")?.content.cloneNode(true);
    const voice = "speechSynthesis" in window ? button(say("menu.speak"), () => (this.speaks = !this.speaks, mark(voice, "aria-pressed", this.speaks))) : null;
    if (voice) mark(voice, "aria-pressed", this.speaks);
    const box = dialog(say("menu.title"), languages, voice, el("a.button", { href: "/help" }, say("menu.rules")), data.seen ? el("a.button", { href: "/seen" }, say("menu.seen")) : null, el("a.button", { href: "/history" }, say("menu.history")), el("details", {}, el("summary", {}, say("lobby.invite")), el("img.qr", { src: "/qr.svg", width: 180, height: 180, alt: say("table.qr"), loading: "lazy" }), el("p.hint", {}, data.address.replace("http://", ""))), el("details", {}, el("summary", {}, say("menu.fix")), el("div.stack", {}, ...fix)));
  }
}

/** What was put right since the last roll, and by whom: everybody sees it. */
export function corrected(view) {
  const name = (seat) => view.game.players[seat]?.name ?? "";
  const { kind, seat, owner } = view.corrected;
  return say(`corrected.${kind}`, { name: name(seat), owner: owner === null ? "" : name(owner) });
}

function banner(kind, text, ...buttons) {
  return el(`div.banner.${kind}`, { role: "status" }, el("p", {}, text), ...buttons);
}

function arrow(kind, label, onclick) {
  return el(`button.icon-button.${kind}`, { type: "button", "aria-label": label, onclick }, el(`i.${kind}-mark`, { "aria-hidden": "true" }));
}

/** What was chosen stays chosen when the lobby is drawn anew: by what it says, as places may have changed. */
function keepChoices(before, form) {
  if (!before) return void form.dispatchEvent(new Event("change"));
  form.querySelector("details").open = before.querySelector("details").open;
  for (const field of form.querySelectorAll("select, input")) {
    const old = before.elements[field.name];
    if (!old) continue;
    if (field.type === "checkbox") field.checked = old.checked;
    else for (const option of field.options) if (option.text === old.selectedOptions[0]?.text) option.selected = true;
  }
  form.dispatchEvent(new Event("change"));
}

/** "mixx-a" is Mixx A in every language. */
const sheetName = (name) => (name === "classic" ? say("lobby.classic") : name.replace("-", " ").replace(/\b\w/g, (letter) => letter.toUpperCase()));

function startForm(view, hands) {
  const { house } = hands.offers;
  const { boards } = hands.link.message;
  const choice = (name, list, chosen) => el("select", { name, id: `start-${name}` }, ...list.map(([value, text]) => el("option", { value, selected: value === chosen }, text)));
  const field = (name, key, list, chosen) => el("p.field", {}, el("label", { for: `start-${name}` }, say(key)), choice(name, list, chosen));
  const tick = (name, key, checked) => el("label.tick", {}, el("input", { type: "checkbox", name, checked }), say(key));
  const patience = [...new Set([15, 30, 60, house.patience])].filter(Boolean).sort((a, b) => a - b);
  const editions = [["original", say("lobby.original")], ["deluxe", say("lobby.deluxe")], ...(boards.length ? [["on-board", say("lobby.on_board")]] : [])];
  const form = el(
    "form.start-form",
    {},
    field("first", "lobby.starts", [["", say("lobby.lot")], ...view.seats.map((seat) => [seat.seat, seat.name])]),
    el(
      "details",
      {},
      el("summary", {}, say("lobby.options")),
      field("edition", "lobby.edition", editions),
      boards.length ? field("board", "lobby.board", boards.map(({ key, name, side }) => [key, name ? say(`board.${side}`, { name }) : say(`board.${key}`)])) : null,
      field("sheet", "lobby.sheet", hands.offers.sheets.map((name) => [name, sheetName(name)])),
      field("games", "lobby.games", [1, 2, 3, 4, 5].map((n) => [n, String(n)])),
      field("patience", "lobby.patience", [[0, say("lobby.never")], ...patience.map((n) => [n, say("lobby.seconds", { n })])], house.patience),
      tick("scores_hidden", "lobby.scores", house.scores_hidden),
      tick("locks_late", "lobby.locks_late", house.locks_take_effect === "end-of-turn"),
    ),
    el("button.main", {}, say("lobby.start")),
  );
  const board = form.elements.board?.parentNode;
  form.addEventListener("change", () => board && mark(board, "hidden", form.elements.edition.value !== "on-board"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = new FormData(form);
    const wish = { do: "start", edition: given.get("edition"), sheet: given.get("sheet"), games: Number(given.get("games")), patience: Number(given.get("patience")), scores_hidden: given.has("scores_hidden"), locks: given.has("locks_late") ? "end-of-turn" : "at-once" };
    if (given.get("first") !== "") wish.first = Number(given.get("first"));
    if (wish.edition === "on-board") wish.board = given.get("board");
    hands.act(wish);
  });
  return form;
}

/** Anybody's sheet, small: what is crossed, and the points unless they are hidden. */
export function playerCard(view, player) {
  const { game } = view;
  const notes = [];
  if (player.active) notes.push(say("others.active"));
  if (player.deciding && game.phase !== "roll") notes.push(say("others.deciding"));
  const score = player.score === null ? say("others.hidden") : say("others.points", { n: player.score });
  const head = el("h3.player-head", {}, el(`span.mark.${view.seats[player.seat].mark}`, { "aria-hidden": "true" }), el("span.seat-name", {}, player.name, notes.length ? el("small", {}, ` ${notes.join(", ")}`) : null), el("span.player-score", {}, score));
  const rows = player.rows.map((row, place) => {
    const printed = game.layout[place];
    const crossed = new Set(row.crossed);
    const furthest = Math.max(-1, ...printed.cells.map((cell, at) => (crossed.has(cell) ? at : -1)));
    const cells = printed.cells.map((cell, at) => el("i", { "data-state": crossed.has(cell) ? "crossed" : at < furthest ? "skipped" : "open", "data-fresh": player.fresh.includes(cell) || null }, cell.slice(1)));
    const said = `${colour(row.lock)}: ${row.crossed.map((cell) => cell.slice(1)).join(", ") || "–"}`;
    const closed = game.closed.includes(row.lock);
    return el(`div.mini.${row.lock}${closed ? ".closed" : ""}`, { role: "img", "aria-label": said }, el("b", {}, say(`letter.${row.lock}`)), ...cells, el(`span.lock${row.locked ? ".crossed" : ""}`, {}, el("i")));
  });
  const board = player.piece === null ? "" : ` · ${say("board.title")}: ${player.piece}`;
  const misthrows = el("p.mini-foot", {}, say("others.misthrows", { n: player.misthrows }) + board);
  return el("section.player", {}, head, el("div.minis", {}, ...rows), misthrows);
}
