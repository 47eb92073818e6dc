// Waits until the review of a game is there, then puts it in its place: whoever looks at a turn stays there.
// @ts-check

/** @import { Progress } from "../types/api.d.ts" */

const share = /** @type {HTMLProgressElement | null} */ (document.getElementById("review-share"));

/**
 * The page as a document; nothing of it runs.
 * @param {string} game
 * @returns {Promise<Document | null>}
 */
const page = (game) =>
  new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    request.open("GET", `/history/${game}`);
    request.responseType = "document";
    request.addEventListener("load", () => done(request.response));
    request.addEventListener("error", failed);
    request.send();
  });

/** @param {HTMLProgressElement} share */
const look = async (share) => {
  const { game = "" } = share.dataset;
  try {
    /** @type {Progress} */
    const answer = await (await fetch(`/api/history/${game}/review`)).json();
    share.value = 100 * answer.share;
    const made = answer.review || answer.trouble ? (await page(game))?.getElementById("review") : null;
    if (made && !made.querySelector("progress")) {
      return document.getElementById("review")?.replaceWith(document.adoptNode(made));
    }
  } catch {
    // no connection just now: the next look tells
  }
  return setTimeout(look, 700, share);
};
if (share) look(share);
