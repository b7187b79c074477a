// A picture made small: enough to tell whether a place in it looks as it did before.

const width = 160;
const height = 90;
/** Mean difference of brightness, of 255, up to which a place counts as the same: more than a JPEG's noise, less than a shift by a pixel. */
const same = 5;

export class Glance {
  constructor() {
    this.context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true, alpha: false });
  }

  at(bitmap) {
    this.context.drawImage(bitmap, 0, 0, width, height);
    return this.context.getImageData(0, 0, width, height).data;
  }
}

/** Whether the rectangle around a code looks as it did in `before`. Grey: one channel tells all. */
export function isSame(code, pixels, before) {
  const xs = code.corners.map(([x]) => x * width);
  const ys = code.corners.map(([, y]) => y * height);
  const [left, right] = [Math.max(0, Math.floor(Math.min(...xs)) - 1), Math.min(width, Math.ceil(Math.max(...xs)) + 1)];
  const [top, bottom] = [Math.max(0, Math.floor(Math.min(...ys)) - 1), Math.min(height, Math.ceil(Math.max(...ys)) + 1)];
  let sum = 0;
  for (let y = top; y < bottom; y += 1) for (let x = left; x < right; x += 1) sum += Math.abs(pixels[(y * width + x) * 4] - before[(y * width + x) * 4]);
  return sum <= same * (right - left) * (bottom - top);
}
