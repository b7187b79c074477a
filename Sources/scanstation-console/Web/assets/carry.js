// Not every frame is read, and no frame is looked at for every kind of code: kinds take turns. What was read a moment ago still holds for a frame
// whose pixels there are the same; where they aren't, nothing is claimed.

const width = 160;
const height = 90;
/** Mean difference of brightness, of 255, up to which a place counts as the same: more than a JPEG's noise, less than a shift by a pixel. */
const same = 5;
/** A frame that wasn't read and has lost outlines isn't shown so soon after one that was: outlines would flicker. */
const heldBackMs = 300;
/** In this time every kind of code has had its turn several times: what wasn't seen again isn't there, whatever its place looks like. */
const roundMs = 2000;

/** Follows frames, and gives them the codes that still hold. */
export class Carry {
  constructor() {
    this.canvas = new OffscreenCanvas(width, height);
    this.context = this.canvas.getContext("2d", { willReadFrequently: true, alpha: false });
    this.last = null;
  }

  /**
   * @param {import("./preview.js").Frame} frame
   * @returns {import("./preview.js").Frame|null} null: not worth showing
   */
  follow(frame) {
    const pixels = this.pixels(frame.bitmap);
    const now = performance.now();
    // What lies outside a viewport that was just moved isn't read any more.
    const viewport = JSON.stringify(frame.viewport ?? null);
    if (this.last && this.last.viewport !== viewport) this.last = null;
    const holds = (one) => this.isSame(one.code, pixels, one.pixels);
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

  pixels(bitmap) {
    this.context.drawImage(bitmap, 0, 0, width, height);
    return this.context.getImageData(0, 0, width, height).data;
  }

  /** Whether the rectangle around a code looks as it did in `before`. Grey: one channel tells all. */
  isSame(code, pixels, before) {
    const xs = code.corners.map(([x]) => x * width);
    const ys = code.corners.map(([, y]) => y * height);
    const [left, right] = [Math.max(0, Math.floor(Math.min(...xs)) - 1), Math.min(width, Math.ceil(Math.max(...xs)) + 1)];
    const [top, bottom] = [Math.max(0, Math.floor(Math.min(...ys)) - 1), Math.min(height, Math.ceil(Math.max(...ys)) + 1)];
    let sum = 0;
    for (let y = top; y < bottom; y += 1) for (let x = left; x < right; x += 1) sum += Math.abs(pixels[(y * width + x) * 4] - before[(y * width + x) * 4]);
    return sum <= same * (right - left) * (bottom - top);
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
