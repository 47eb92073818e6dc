// Keeps the screen on while a game is played, where the browser lets a page do so: over https, or on the
// machine itself.
// @ts-check

const TOLD = "boxlid-awake-told";
/** @type {WakeLockSentinel | null} */
let lock = null;
let wanted = false;

/**
 * Called with every view; `tell` says once on this device that its screen may go dark.
 * @param {boolean} playing
 * @param {() => void} tell
 */
export function stayAwake(playing, tell) {
  wanted = playing;
  if (!playing) return void release();
  if ("wakeLock" in navigator) return void take();
  if (localStorage.getItem(TOLD)) return undefined;
  localStorage.setItem(TOLD, "yes");
  return tell();
}

async function take() {
  if (lock || document.visibilityState !== "visible") return;
  try {
    const taken = (lock = await navigator.wakeLock.request("screen"));
    taken.addEventListener("release", () => lock === taken && (lock = null));
    if (!wanted) release();
  } catch (error) {
    // the battery is low, or the page is leaving: the screen may go dark
    if (!(error instanceof DOMException && error.name === "NotAllowedError")) throw error;
  }
}

function release() {
  lock?.release();
  lock = null;
}

/** The browser takes the lock away when the page is hidden. */
document.addEventListener("visibilitychange", () => wanted && "wakeLock" in navigator && take());
