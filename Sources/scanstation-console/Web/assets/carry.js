// Not every frame is read, and no frame is looked at for every kind of code: kinds take turns. What was read a moment ago still holds for a frame
// whose pixels there are the same; where they aren't, nothing is claimed.

import { Candidates } from "./candidates.js";
import { Glance, isSame } from "./glance.js";

/** A frame that wasn't read and has lost outlines isn't shown so soon after one that was: outlines would flicker. */
const heldBackMs = 300;
/** In this time every kind of code has had its turn several times: what wasn't seen again isn't there, whatever its place looks like. */
const roundMs = 2000;

/** Follows frames, and gives them the codes that still hold. */
export class Carry {
  constructor() {
    this.glance = new Glance();
    this.candidates = new Candidates();
    this.last = null;
  }

  /**
   * @param {import("./preview.js").Frame} frame
   * @returns {import("./preview.js").Frame|null} null: not worth showing
   */
  follow(frame) {
    const pixels = this.glance.at(frame.bitmap);
    const now = performance.now();
    frame.candidates = this.candidates.here(frame, pixels, now);
    // What lies outside a viewport that was just moved isn't read any more.
    const viewport = JSON.stringify(frame.viewport ?? null);
    if (this.last && this.last.viewport !== viewport) this.last = null;
    const holds = (one) => isSame(one.code, pixels, one.pixels);
    if (frame.read !== false) {
      const read = frame.codes ?? [];
      const earlier = (this.last?.codes ?? []).filter((one) => now - one.at < roundMs && !read.some((code) => isAtOnePlace(code, one.code)) && holds(one));
      this.last = { codes: [...read.map((code) => ({ code, pixels, at: now })), ...earlier], at: now, viewport };
      return earlier.length ? { ...frame, codes: this.last.codes.map((one) => one.code) } : frame;
    }
    if (!this.last) return frame;
    const kept = this.last.codes.filter(holds);
    if (kept.length < this.last.codes.length && now - this.last.at < heldBackMs) return null;
    return { ...frame, codes: kept.map((one) => one.code) };
  }
}

const centre = (code) => [0, 1].map((axis) => code.corners.reduce((sum, corner) => sum + corner[axis], 0) / code.corners.length);

/** Whether the middle of one lies within the rectangle around the other. */
function isAtOnePlace(one, other) {
  const isWithin = (inner, outer) => [0, 1].every((axis) => {
    const sides = outer.corners.map((corner) => corner[axis]);
    return centre(inner)[axis] >= Math.min(...sides) && centre(inner)[axis] <= Math.max(...sides);
  });
  return isWithin(one, other) || isWithin(other, one);
}
