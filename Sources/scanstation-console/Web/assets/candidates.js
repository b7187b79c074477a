// What isn't read is told with each frame, but was found in an earlier one: the station looks twice a second, and takes a place back when two looks
// don't show it. So a candidate is outlined only where nothing has moved since that look.

import { isSame } from "./glance.js";

/** A look's answer is here by then. What was just put there is told later still. */
const lookMs = 600;
/** By then two looks would have taken it back: in a picture that holds, and at the pace of readers that are never idle. */
const stillMs = 2000;
const busyMs = 4500;
/** Of 255: a pixel that differs by more has changed. */
const much = 32;

export class Candidates {
  /** Those of the latest frame: by their corners, which are new with each look. */
  told = new Map();
  /** The latest frames, and one from before `lookMs`. */
  past = [];
  /** Since when nothing at all has moved. */
  rest = null;

  /** Those that are where they are told to be. */
  here(unread, pixels, now) {
    if (!this.rest || pixels.some((value, index) => Math.abs(value - this.rest.pixels[index]) > much)) this.rest = { pixels, at: now };
    while (this.past[1]?.at <= now - lookMs) this.past.shift();
    const told = new Map();
    const found = unread.filter((code) => {
      if (code.kind === "picture") return false;
      const key = JSON.stringify(code.corners);
      let one = this.told.get(key) ?? { pixels, at: now, isSure: this.past[0]?.at <= now - lookMs && this.past.every((frame) => isSame(code, pixels, frame.pixels)) };
      if (!isSame(code, pixels, one.pixels)) one = { pixels, at: now, isSure: false };
      one.isSure ||= now - this.rest.at >= stillMs || now - one.at >= busyMs;
      told.set(key, one);
      return one.isSure;
    });
    this.told = told;
    this.past.push({ pixels, at: now });
    return found;
  }
}
