// A soft tone and a short buzz: this phone has to act. A page may sound once somebody has tapped it.
// @ts-check

const LENGTH = 0.5;
/** @type {AudioContext | null} */
let audio = null;

/** From a tap: what sleeps wakes, also after the phone was locked. */
export function wake() {
  audio ??= new AudioContext();
  if (audio.state !== "running") audio.resume();
}

export function call() {
  navigator.vibrate?.(40);
  if (audio?.state !== "running") return;
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  const now = audio.currentTime;
  tone.frequency.setValueAtTime(587, now);
  tone.frequency.setValueAtTime(880, now + 0.14);
  volume.gain.setValueAtTime(0, now);
  volume.gain.linearRampToValueAtTime(0.08, now + 0.03);
  volume.gain.exponentialRampToValueAtTime(0.001, now + LENGTH);
  tone.connect(volume).connect(audio.destination);
  tone.start(now);
  tone.stop(now + LENGTH);
}
