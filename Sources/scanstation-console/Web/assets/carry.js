// Not every frame is read: of a still scene the station leaves out what looks the same. What was read in the last one still holds for a
// frame whose pixels there are the same; where they aren't, nothing is claimed.

const width = 160;
const height = 90;
/** Mean difference of brightness, of 255, up to which a place counts as the same: more than a JPEG's noise, less than a shift by a pixel. */
const same = 5;
/** A frame that wasn't read and has lost outlines isn't shown so soon after one that was: outlines would flicker. */
const heldBackMs = 300;

/** Follows frames, and gives those that weren't read the codes that still hold. */
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
    if (frame.read !== false) {
      this.last = { pixels, codes: frame.codes ?? [], at: performance.now() };
      return frame;
    }
    if (!this.last) return frame;
    const kept = this.last.codes.filter((code) => this.isSame(code, pixels));
    if (kept.length < this.last.codes.length && performance.now() - this.last.at < heldBackMs) return null;
    return { ...frame, codes: kept };
  }

  pixels(bitmap) {
    this.context.drawImage(bitmap, 0, 0, width, height);
    return this.context.getImageData(0, 0, width, height).data;
  }

  /** Whether the rectangle around a code looks as it did. Grey: one channel tells all. */
  isSame(code, pixels) {
    const xs = code.corners.map(([x]) => x * width);
    const ys = code.corners.map(([, y]) => y * height);
    const [left, right] = [Math.max(0, Math.floor(Math.min(...xs)) - 1), Math.min(width, Math.ceil(Math.max(...xs)) + 1)];
    const [top, bottom] = [Math.max(0, Math.floor(Math.min(...ys)) - 1), Math.min(height, Math.ceil(Math.max(...ys)) + 1)];
    let sum = 0;
    for (let y = top; y < bottom; y += 1) for (let x = left; x < right; x += 1) sum += Math.abs(pixels[(y * width + x) * 4] - this.last.pixels[(y * width + x) * 4]);
    return sum <= same * (right - left) * (bottom - top);
  }
}
