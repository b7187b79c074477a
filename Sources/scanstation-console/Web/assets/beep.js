// A beep in the browser, if wanted. Browsers let a page sound only after a person has touched it.

const key = "scanstation.beep";
let context = null;

export const beeps = () => remembered(key) === "on";

/** Switches it, and lets it be heard, so people know that it works. */
export function setBeeps(isOn) {
  remember(key, isOn ? "on" : "off");
  if (isOn) beep();
}

export function beep(frequency = 2200, seconds = 0.09) {
  try {
    context ??= new AudioContext();
    context.resume();
    const tone = new OscillatorNode(context, { type: "square", frequency });
    const volume = new GainNode(context, { gain: 0.06 });
    volume.gain.setTargetAtTime(0, context.currentTime + seconds, 0.01);
    tone.connect(volume).connect(context.destination);
    tone.start();
    tone.stop(context.currentTime + seconds + 0.1);
  } catch {
    // No sound in this browser: the page says everything in writing, too.
  }
}

/** A browser that keeps nothing (private windows) still shows the page. */
export function remembered(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // It is forgotten at the next visit, nothing else.
  }
}
