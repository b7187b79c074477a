// Texts of codes come from strangers. What could hide, reorder or break a line is shown as a labelled box, and each text keeps its
// direction to itself.

import { button, h } from "./dom.js";

/** Control, format, surrogate, private and unassigned characters, separators, and letters that look like nothing. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115F\u1160\u2800\u3164\uFFA0]|[^\S ]|^ +| +$| {2,}/gu;

const names = ("NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US").split(" ");
const marks = {
  0x7f: "DEL", 0xa0: "NBSP", 0xad: "SHY", 0x200b: "ZWSP", 0x200c: "ZWNJ", 0x200d: "ZWJ", 0x200e: "LRM", 0x200f: "RLM", 0x202a: "LRE", 0x202b: "RLE",
  0x202c: "PDF", 0x202d: "LRO", 0x202e: "RLO", 0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI", 0xfeff: "BOM",
};
/** How much of a text is shown before somebody asks for all of it; and how much then, as nobody can read on forever. */
const shortLimit = 180;
const longLimit = 8000;

/** The name of a character that can't be seen: `RLO`, `GS`, `U+E000`. */
function nameOf(character) {
  const code = character.codePointAt(0);
  return names[code] ?? marks[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Pieces of a text: what can be shown as it is, and names of what can't. */
function pieces(text) {
  const found = [];
  let end = 0;
  for (const match of text.matchAll(unseen)) {
    if (match.index > end) found.push({ text: text.slice(end, match.index) });
    const spaces = /^ +$/.test(match[0]);
    found.push({ name: spaces ? (match[0].length > 1 ? `${match[0].length} spaces` : "space") : nameOf(match[0]) });
    end = match.index + match[0].length;
  }
  if (end < text.length) found.push({ text: text.slice(end) });
  return found;
}

/** Cut between characters, not inside one. */
function cut(text, limit) {
  const characters = [...text.slice(0, limit * 2)];
  return characters.length > limit || text.length > limit * 2 ? characters.slice(0, limit).join("") + "…" : text;
}

/**
 * The text where only plain characters can go: a canvas, a spoken word.
 * @param {string} text
 * @param {number} limit in characters
 */
export function plain(text, limit = 60) {
  return cut(pieces(cut(text, limit)).map((piece) => piece.text ?? `<${piece.name}>`).join(""), limit);
}

function body(text) {
  return h("bdi", { class: "code-text", dir: "ltr", translate: "no" },
    pieces(text).map((piece) => piece.text ?? h("span", { class: "unseen-character", title: `a character that can't be seen: ${piece.name}` },
      piece.name)));
}

/**
 * A code's text. A long one is cut, with a button for the rest unless `brief`.
 * @param {string|null|undefined} text null: the code carries no text, or it is withheld
 * @param {{brief?: boolean, withheld?: boolean, limit?: number}} [how]
 */
export function visibleText(text, how = {}) {
  if (text === null || text === undefined) {
    return h("span", { class: "no-text" }, how.withheld ? "withheld: it holds a secret" : "not a text");
  }
  if (text === "") return h("span", { class: "no-text" }, "empty");
  const short = cut(text, how.limit ?? shortLimit);
  if (short === text) return body(text);
  if (how.brief) return body(short);
  const holder = h("span", { class: "long-text" }, body(short));
  const more = button(`Show all ${text.length.toLocaleString("en")} characters`, () => {
    const rest = body(cut(text, longLimit));
    rest.tabIndex = -1;
    holder.replaceChildren(rest);
    rest.focus();
  }, { kind: "quiet small" });
  holder.append(more);
  return holder;
}
