// The link to the table: the newest view in, wishes out. Survives sleep, lost sockets and lost answers.
// @ts-check

/** @import { Posts } from "../types/api.d.ts" */
/** @import { Answered, Received, Shows, Wish } from "../types/pages.d.ts" */

const WATCHDOG = 14000; // nearly three pings
const POLL = 3000;
const ANSWER = 6000;

/** @param {number} ms */
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
/** @param {number} ms */
const jitter = (ms) => ms * (0.7 + Math.random() * 0.6);

/** crypto.randomUUID is missing on plain http. */
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @template {Received} Message */
export class Link {
  /**
   * @param {Shows<Message>} shows
   * @param {{ live: string, view: string }} [paths]
   */
  constructor(shows, paths = { live: "/api/live", view: "/api/view" }) {
    this.shows = shows;
    this.paths = paths;
    /** @type {Message | null} */
    this.message = null;
    /** @type {Wish[]} */
    this.pending = [];
    /** @type {EventSource | null} */
    this.source = null;
    this.heard = 0;
    this.tries = 0;
    this.sending = false;
    /** @type {number | undefined} */
    this.timer = undefined;
    /** @type {"elsewhere" | "gone" | null} */
    this.stopped = null;
    this.reopened = false; // the next view may have jumped over rolls
  }

  /** @param {Message | null} message */
  start(message) {
    if (message) this.accept(message);
    this.open();
    const wake = () => document.visibilityState === "visible" && !this.stopped && this.open();
    document.addEventListener("visibilitychange", wake);
    addEventListener("pageshow", (event) => event.persisted && wake());
    addEventListener("online", wake);
    addEventListener("offline", () => this.shows.state("offline"));
    setInterval(() => this.watch(), 1000);
  }

  watch() {
    if (this.stopped || document.visibilityState !== "visible") return;
    if (this.source && performance.now() - this.heard > WATCHDOG) this.open();
  }

  // --- in -----------------------------------------------------------------------------------------

  /** @param {Message} message */
  accept(message) {
    if (this.stopped === "gone") return;
    const old = this.message;
    if (old && old.run === message.run && message.sequence <= old.sequence) return;
    this.message = message;
    this.show();
    this.reopened = false;
  }

  show() {
    if (this.message && this.stopped !== "gone") this.shows.view(this.message, this.pending);
  }

  /** Always a new socket: an old one may be dead without knowing it. */
  open() {
    clearTimeout(this.timer);
    this.source?.close();
    this.heard = performance.now();
    this.reopened = true;
    const source = (this.source = new EventSource(this.paths.live));
    const heard = () => {
      this.heard = performance.now();
      this.tries = 0;
      this.shows.state("live");
    };
    source.onmessage = (event) => {
      heard();
      this.accept(JSON.parse(event.data));
      this.reopened = false;
    };
    source.addEventListener("ping", heard);
    source.addEventListener("elsewhere", () => this.stop("elsewhere"));
    source.addEventListener("gone", () => this.stop("gone"));
    source.onerror = () => this.lost(source);
    this.flush();
  }

  /**
   * "gone" is said once and for good: the page is on its way elsewhere.
   * @param {"elsewhere" | "gone"} why
   */
  stop(why) {
    if (this.stopped === "gone") return;
    this.stopped = why;
    this.source?.close();
    this.source = null;
    this.shows.state(why);
  }

  resume() {
    this.stopped = null;
    this.open();
  }

  /**
   * The stream broke or was refused: ask once for the view, and try the stream again later.
   * @param {EventSource} source
   */
  async lost(source) {
    if (source !== this.source) return;
    source.close();
    this.source = null;
    await this.poll();
    if (this.stopped || this.source) return;
    const pause = Math.min(POLL, 300 * 2 ** this.tries++);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => !this.source && this.open(), jitter(pause));
  }

  async poll() {
    try {
      const answer = await fetch(this.paths.view, { signal: AbortSignal.timeout(ANSWER) });
      if (answer.status === 403 || answer.status === 404) this.stop("gone");
      if (this.stopped) return;
      if (!answer.ok) return this.shows.state("offline"); // the companion answers, but has no table to show
      this.shows.state("live");
      this.accept(await answer.json());
    } catch {
      this.shows.state("offline");
    }
  }

  // --- out ----------------------------------------------------------------------------------------

  /**
   * Paint first, then send; resent until the table answers, in the order of the taps.
   * @param {Wish} wish
   */
  send(wish) {
    const { message } = this;
    if (!message) throw new Error("a wish before the first view");
    this.pending.push({ moment: message.view?.moment, ...wish, id: newId() });
    this.shows.view(message, this.pending, true);
    requestAnimationFrame(() => setTimeout(() => this.show()));
    return this.flush();
  }

  async flush() {
    if (this.sending) return;
    this.sending = true;
    let tries = 0;
    while (this.pending.length) {
      const wish = this.pending[0];
      const { done, answer, error } = await post("/api/wishes", wish);
      if (!done) {
        if (tries++ > 0) this.shows.state("offline");
        await wait(jitter(Math.min(4000, 250 * 2 ** tries)));
        continue;
      }
      tries = 0;
      this.pending.shift();
      if (error) this.shows.refused?.(error, wish);
      if (answer) this.accept(/** @type {Message} */ (/** @type {unknown} */ (answer)));
      this.show();
    }
    this.sending = false;
  }
}

/**
 * One POST: done with an answer, done with a refusal, or not done (no connection, too fast, or the table is
 * busy).
 * @template {keyof Posts} Path
 * @param {Path} path
 * @param {Posts[Path]["body"]} body
 * @returns {Promise<Answered<Posts[Path]["answer"]>>}
 */
export async function post(path, body) {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER),
    });
    if ([429, 502, 503].includes(response.status)) return { done: false };
    const content = await response.json();
    return response.ok ? { done: true, answer: content } : { done: true, error: content };
  } catch {
    return { done: false };
  }
}
