// The picture and what was seen in it, painted in one go: an outline is that of the frame below it, or of an earlier one where this one looks the same.

import { plain } from "./visible-text.js";
import { symbologyName, unreadWords } from "./words.js";

/** The same in light and dark, as the picture is what it is: bright on any grey, with a dark edge. */
export const colours = { read: "#19e3b1", waits: "#ffd23f", unread: "#ffb02e", ink: "#0a1012", paper: "#ffffff" };
const labelLimit = 28;

/**
 * Paints a frame.
 * @param {HTMLCanvasElement} canvas
 * @param {import("./preview.js").Frame} frame
 * @param {{viewport?: boolean, isBare?: boolean}} [what] isBare: without texts, which would hide the codes of a small picture
 */
export function paint(canvas, frame, what = {}) {
  const ratio = Math.min(window.devicePixelRatio || 1, 3);
  const width = Math.round(canvas.clientWidth * ratio);
  const height = Math.round(canvas.clientHeight * ratio);
  if (!width || !height) return;
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d", { alpha: false });
  context.imageSmoothingQuality = "high";
  context.drawImage(frame.bitmap, 0, 0, width, height);
  const place = ([x, y]) => [x * width, y * height];
  if (what.viewport && frame.viewport) shade(context, frame.viewport, width, height, ratio);
  const labels = what.isBare ? null : new Labels(context, width, height, ratio);
  for (const code of frame.candidates ?? []) {
    outline(context, code.corners.map(place), colours.unread, 2 * ratio, [6 * ratio, 5 * ratio]);
    const words = unreadWords(code);
    labels?.add(code.corners.map(place), words.reason, colours.unread);
  }
  for (const code of frame.codes ?? []) {
    outline(context, code.corners.map(place), code.waits ? colours.waits : colours.read, 3 * ratio, []);
    const text = code.text === null || code.text === undefined ? `${symbologyName(code.symbology)}${code.withheld ? ": withheld" : ""}` : plain(code.text, labelLimit);
    labels?.add(code.corners.map(place), text, colours.paper);
  }
}

/** What isn't read is shaded, and the viewport has an edge. */
function shade(context, { x, y, width: w, height: h }, width, height, ratio) {
  if (x <= 0 && y <= 0 && w >= 1 && h >= 1) return;
  context.fillStyle = "rgb(10 16 18 / 0.5)";
  context.beginPath();
  context.rect(0, 0, width, height);
  context.rect(x * width, y * height, w * width, h * height);
  context.fill("evenodd");
  context.strokeStyle = colours.paper;
  context.lineWidth = 1.5 * ratio;
  context.strokeRect(x * width, y * height, w * width, h * height);
}

function outline(context, corners, colour, thickness, dash) {
  context.lineJoin = "round";
  context.beginPath();
  corners.forEach(([x, y], index) => (index ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.closePath();
  context.setLineDash([]);
  context.strokeStyle = "rgb(10 16 18 / 0.55)";
  context.lineWidth = thickness * 1.9;
  context.stroke();
  context.setLineDash(dash);
  context.strokeStyle = colour;
  context.lineWidth = thickness;
  context.stroke();
  context.setLineDash([]);
}

/** Labels below their codes, or above where there is no room; one that would cover another gives way downwards. */
class Labels {
  constructor(context, width, height, ratio) {
    Object.assign(this, { context, width, height, ratio, taken: [] });
    context.font = `600 ${Math.round(13 * ratio)}px ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", monospace`;
    context.textBaseline = "middle";
    context.direction = "ltr";
  }

  add(corners, text, colour) {
    const { context, ratio } = this;
    const xs = corners.map(([x]) => x);
    const ys = corners.map(([, y]) => y);
    const height = 20 * ratio;
    const width = Math.min(context.measureText(text).width + 12 * ratio, this.width);
    const x = Math.max(0, Math.min((Math.min(...xs) + Math.max(...xs) - width) / 2, this.width - width));
    const below = Math.max(...ys) + 5 * ratio;
    const above = Math.min(...ys) - height - 5 * ratio;
    let y = below + height <= this.height ? below : Math.max(0, above);
    for (let tries = 0; tries < 4 && this.covers(x, y, width, height); tries += 1) y += height + 2 * ratio;
    if (y + height > this.height) return;
    this.taken.push([x, y, width, height]);
    context.fillStyle = "rgb(10 16 18 / 0.82)";
    context.beginPath();
    context.roundRect(x, y, width, height, 4 * ratio);
    context.fill();
    context.fillStyle = colour;
    context.fillText(text, x + 6 * ratio, y + height / 2, this.width - 8 * ratio);
  }

  covers(x, y, width, height) {
    return this.taken.some(([left, top, w, h]) => x < left + w && left < x + width && y < top + h && top < y + height);
  }
}
