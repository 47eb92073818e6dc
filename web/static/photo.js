// A photograph of the dice: made smaller on the phone, sent, and shown until its dice are read.
// @ts-check

import { dialog, el, knows, say } from "./dom.js";

/** @import { ErrorBody, Message } from "../types/api.d.ts" */

const LONGEST = 1600; // pixels: more shows no more of a die
const QUALITY = 0.85;
const MOST_BYTES = 15 * 1024 * 1024;
const PATIENCE = 60000; // for a large file over weak wifi

/** @type {HTMLDialogElement | null} */
let open = null; // one at a time

/**
 * Sends it; the view that answers it, or a sentence why there is none.
 * @param {File} file
 * @param {{ read: (message: Message) => void, refuse: (sentence: string) => unknown }} then
 */
export async function photographed(file, { read, refuse }) {
  if (open) return;
  const shown = el("div.photo");
  const line = el("p.hint", { role: "status" }, say("photo.reading"));
  const box = (open = dialog(say("photo.here"), shown, line));
  box.classList.add("photo-box");
  const leave = new AbortController();
  box.addEventListener("close", () => leave.abort());
  try {
    const small = await smaller(file, shown);
    const { answer, sentence } = await send(small ?? file, leave.signal);
    if (answer) read(answer);
    else if (sentence) refuse(sentence);
  } finally {
    open = null;
    box.close();
  }
}

/**
 * As a JPEG of at most 1,600 pixels, upright; null where this browser cannot, and the file goes as it is.
 * @param {File} file
 * @param {HTMLElement} shown
 * @returns {Promise<Blob | null>}
 */
async function smaller(file, shown) {
  const picture = await createImageBitmap(file, { imageOrientation: "from-image" }).catch(() => null);
  if (!picture) return null;
  const shrink = Math.min(1, LONGEST / Math.max(picture.width, picture.height));
  const width = Math.max(1, Math.round(picture.width * shrink));
  const height = Math.max(1, Math.round(picture.height * shrink));
  const canvas = el("canvas", { width, height, role: "img", "aria-label": say("photo.here") });
  const pen = canvas.getContext("2d");
  if (!pen) return null;
  pen.imageSmoothingQuality = "high";
  pen.drawImage(picture, 0, 0, width, height);
  picture.close();
  shown.replaceChildren(canvas);
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
}

/**
 * @param {Blob} body
 * @param {AbortSignal} left
 * @returns {Promise<{ answer?: Message, sentence?: string }>}
 */
async function send(body, left) {
  if (body.size > MOST_BYTES) return { sentence: say("photo.too_big") };
  try {
    const headers = { "Content-Type": "application/octet-stream" };
    const signal = AbortSignal.any?.([left, AbortSignal.timeout(PATIENCE)]) ?? left;
    const response = await fetch("/api/photograph", { method: "POST", headers, body, signal });
    if (response.status === 503) return { sentence: say("error.photo-busy") };
    const content = await response.json();
    if (response.ok) return { answer: content };
    return { sentence: knows(`error.${content.error}`) ? say(`error.${content.error}`) : content.text };
  } catch {
    return left.aborted ? {} : { sentence: say("photo.no_link") };
  }
}
