// For those who can't look: each scan is spoken, numbers digit by digit.

import { plain } from "./visible-text.js";
import { ended, kindName, symbologyName } from "./words.js";

const atATimeMs = 1200;
const spokenLimit = 80;
/** What was said at once is heard by then; later it would be read as if it were true still. */
const staleMs = 10_000;

let waiting = [];
let timer = 0;
let clearing = 0;

/** Says something politely; what comes at once is said together. */
export function announce(text) {
  waiting.push(text);
  timer ||= setTimeout(speak, 60);
}

/** Says at once what can't wait. */
export function announceNow(text) {
  const region = document.getElementById("said-now");
  region.textContent = "";
  region.textContent = text;
  clearTimeout(clearing);
  clearing = setTimeout(() => (region.textContent = ""), staleMs);
}

function speak() {
  const region = document.getElementById("said");
  const more = waiting.length - 3;
  const told = [...waiting.slice(0, 3), more > 0 && `And ${more} more`].filter(Boolean);
  // Some are sentences and some aren't.
  const text = told.map((one, index) => (index < told.length - 1 ? ended(one) : one)).join(" ");
  // The same words once more are only spoken if something differs: a blank does.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
  waiting = [];
  timer = setTimeout(() => {
    timer = 0;
    if (waiting.length) speak();
  }, atATimeMs);
}

/**
 * What is spoken of a scan: `EAN-13, 4 0 0 6 3 8`.
 * @param {Object} scan
 */
export function spoken(scan) {
  const name = symbologyName(scan.symbology);
  if (scan.text === null || scan.text === undefined) return `${name}, ${scan.payload?.kind ? kindName(scan.payload.kind) : "without text"}`;
  const text = plain(scan.text, spokenLimit);
  return `${name}, ${/^\d+$/.test(text) ? [...text].join(" ") : text}`;
}
