// What isn't read is reported with each frame, but was found in an earlier one, and the station says when that was exposed. So a candidate is outlined where
// it looked the same in the pictures before and after that moment, and looks the same now.

import { isSame } from "./glance.js";

/** The station reports what it found well within this time; pictures are kept as long. */
const keptMs = 3000;
/** The station doesn't look again while the picture holds. What it found before this page had a picture is in place if nothing has moved for this long. */
const stillMs = 2000;
/** Out of 255: a pixel that differs by more has changed. */
const much = 32;

export class Candidates {
  /** The latest pictures, the newest last. */
  past = [];
  /** Those that were found to be in place, by look and corners. */
  placed = new Map();
  /** Since when nothing at all has moved. */
  rest = null;

  /**
   * Those that are where they are reported to be.
   * @param {import("./preview.js").Frame} frame
   * @param pixels its glance
   */
  here(frame, pixels, now) {
    // A station that began again.
    if (this.past.at(-1)?.exposedMs > frame.exposedMs) this.past = [];
    this.past.push({ pixels, exposedMs: frame.exposedMs });
    while (this.past[0].exposedMs < frame.exposedMs - keptMs) this.past.shift();
    if (!this.rest || pixels.some((value, index) => Math.abs(value - this.rest.pixels[index]) > much)) this.rest = { pixels, at: now };
    const placed = new Map();
    const found = (frame.unread ?? []).filter((code) => {
      if (code.kind === "picture") return false;
      const key = JSON.stringify([code.exposedMs, code.corners]);
      const before = this.placed.get(key) ?? this.seen(code) ?? (now - this.rest.at >= stillMs ? this.rest.pixels : null);
      const isHere = before && isSame(code, pixels, before);
      if (isHere) placed.set(key, before);
      return isHere;
    });
    this.placed = placed;
    return found;
  }

  /** The picture of the frame in which it was found, as far as the two beside that show it. */
  seen(code) {
    const before = this.past.findLast((frame) => frame.exposedMs <= code.exposedMs);
    const after = this.past.find((frame) => frame.exposedMs >= code.exposedMs);
    return before && after && isSame(code, before.pixels, after.pixels) ? before.pixels : null;
  }
}
