// What the set-up says to the server and hears from it: that the page is open, and its wishes.
// @ts-check

import { data, say } from "./dom.js";

/** @import { SetUpView } from "../types/api.d.ts" */
/** @import { SetUpData, SetUpWish, Trouble } from "../types/pages.d.ts" */

const PAUSE = 1000;
const ANSWER = 45000; // a step may wait for a hand to leave the lid, and a small computer learns slowly

export class Talk {
  /**
   * shows(view) for every newer view; refused(kind) for a wish that is not carried out, "" without
   * connection.
   * @param {(view: SetUpView) => void} shows
   * @param {(kind: string) => void} refused
   */
  constructor(shows, refused) {
    this.shows = shows;
    this.refused = refused;
    this.page = Array.from(
      crypto.getRandomValues(new Uint8Array(8)),
      (byte) => byte.toString(16).padStart(2, "0"),
    ).join("");
    this.takes = false;
    this.waits = false;
    this.number = -1;
    /** @type {SetUpView | null} */
    this.view = null;
  }

  /** @param {boolean} take */
  start(take) {
    this.takes = take;
    this.here();
    setInterval(() => document.visibilityState === "visible" && !this.waits && this.here(), PAUSE);
    document.addEventListener(
      "visibilitychange",
      () => document.visibilityState === "visible" && this.here(),
    );
  }

  /** The game waits from now on, as long as this page is open. */
  take() {
    this.takes = true;
    this.here();
  }

  async here() {
    const { view } = await this.post("/api/setup/here", { take: this.takes });
    if (view) this.newest(view);
  }

  /**
   * @param {SetUpWish} body
   * @returns {Promise<SetUpView | null>}
   */
  async wish(body) {
    if (this.waits) return null;
    this.waits = true;
    this.shows(this.view ?? /** @type {SetUpData} */ (data).view);
    const beat = setInterval(() => this.post("/api/setup/here", { take: this.takes }), 3 * PAUSE);
    const { view, error } = await this.post("/api/setup", body);
    clearInterval(beat);
    this.waits = false;
    if (view) this.newest(view, true);
    else {
      await this.here();
      this.refused(error ?? "");
    }
    return view ?? null;
  }

  /**
   * Steps of several pages may cross on their way: what is older than what is shown is dropped.
   * @param {SetUpView} view
   * @param {boolean} [always]
   */
  newest(view, always = false) {
    if (view.number < this.number && !always) return;
    this.number = view.number;
    this.view = view;
    this.shows(view);
  }

  /**
   * A lamp that is tried goes out when its step is left.
   * @param {SetUpView} view
   */
  closeLamp(view) {
    if (view.lamps.some((lamp) => lamp.lit)) this.wish({ do: "lamp", lamp: "" });
  }

  /**
   * @param {string} path
   * @param {SetUpWish | { take: boolean }} body
   * @returns {Promise<{ view?: SetUpView, error?: string }>}
   */
  async post(path, body) {
    try {
      const response = await fetch(path, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ page: this.page, ...body }),
        signal: AbortSignal.timeout(ANSWER),
      });
      if (response.status === 403) location.reload();
      const content = await response.json();
      return response.ok ? { view: content } : { error: content.error };
    } catch {
      return {};
    }
  }

  leave() {
    const body = new Blob([JSON.stringify({ page: this.page })], { type: "application/json" });
    navigator.sendBeacon("/api/setup/leave", body);
  }
}

/**
 * A trouble in the page's language; what has no words of the set-up's own has those of the game.
 * @param {Trouble} trouble
 * @param {(list: string[]) => string} names
 */
export function inWords(trouble, names) {
  const words = data.words;
  const dice = names(trouble.colours.map((colour) => say(`die_it.${colour}`)));
  const key = `trouble.${trouble.kind}`;
  if (words[key]) return say(key, { dice });
  const die = trouble.colours.length ? say(`die_is.${trouble.colours[0]}`) : say("die_is.any");
  return say(`notice.${trouble.kind}`, { die });
}
