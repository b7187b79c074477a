// One scan in a list: what, when, and how far it got.

import { h } from "./dom.js";
import { shortTime } from "./format.js";
import { plain, visibleText } from "./visible-text.js";
import { answerWords, kindName, outcomeWords, symbologyName } from "./words.js";

/** What is most worth knowing of a scan's way, as a word and a colour; null while nothing is known. */
function verdict(scan) {
  if (scan.answer) return answerWords(scan.answer);
  const receipts = scan.receipts ?? [];
  const first = (...outcomes) => receipts.find((receipt) => outcomes.includes(receipt.outcome));
  const worst = first("refused", "undeliverable") ?? first("skipped");
  if (worst) return [`${worst.output}: ${outcomeWords(worst.outcome)[0]}`, outcomeWords(worst.outcome)[1]];
  const waits = receipts.filter((receipt) => receipt.outcome === "waiting");
  if (waits.length) return [waits.length > 1 ? `waits for ${waits.length}` : `waits for ${waits[0].output}`, "warn"];
  if (receipts.length) return [receipts.length > 1 ? `delivered to ${receipts.length}` : `delivered to ${receipts[0].output}`, "good"];
  return null;
}

/** Whether the code is a password or a key, or contains one. */
export const holdsSecret = (scan) => scan.withheld || ["wifi", "otp", "secret"].includes(scan.payload?.kind);

const longestBadge = 120;

/** A badge: a word with a colour that says how good it is. */
export function badge(text, kind) {
  return h("span", { class: `badge ${kind}` }, plain(text, longestBadge));
}

/**
 * @param {Object} scan
 * @param {{current?: boolean, search?: string}} [look] search: what the list is of, to come back to: `?text=…`
 */
export function scanRow(scan, look = {}) {
  const told = verdict(scan);
  return h("li", {}, h("a", { class: "scan-row", href: `#/scans/${encodeURIComponent(scan.id)}${look.search ?? ""}`, "aria-current": look.current ? "true" : null },
    h("span", { class: "scan-text" }, visibleText(scan.text, { brief: true, limit: 90, withheld: scan.withheld })),
    h("span", { class: "scan-facts" }, h("span", {}, symbologyName(scan.symbology)),
      scan.payload && scan.payload.kind !== "text" && h("span", {}, kindName(scan.payload.kind)),
      holdsSecret(scan) && h("span", { title: "Outputs get “(redacted)” in its place, unless theirs says otherwise." }, "holds a secret"),
      h("time", { datetime: scan.time }, shortTime(scan.time))),
    told && badge(...told)));
}
