// One scan: its text, what the text means, where it went, and where it was in the picture.

import { call, get } from "./api.js";
import { copy } from "./clipboard.js";
import { button, h, icon, replace, svg } from "./dom.js";
import { decimal, longTime } from "./format.js";
import { attempt } from "./notices.js";
import { oneAtATime } from "./one-at-a-time.js";
import { badge, holdsSecret } from "./scan-row.js";
import { listen, may } from "./store.js";
import { visibleText } from "./visible-text.js";
import { answerWords, kindName, outcomeWords, sentence, symbologyName } from "./words.js";

const deepest = 6;

/**
 * Fills an element with a scan, and keeps it up to date.
 * @param {string} search of the list that it goes back to
 * @returns {Function} ends that
 */
export function scanDetail(holder, id, search = "") {
  let isOver = false;
  holder.append(h("p", { class: "empty" }, "Loading…"));
  const load = oneAtATime(async () => {
    try {
      const answer = await get(`/scans/${encodeURIComponent(id)}`);
      if (!isOver) draw(holder, answer.scan ?? answer, load, search);
    } catch (error) {
      if (!isOver) holder.replaceChildren(back(search),
        h("div", { class: "empty" }, h("p", {}, error.status === 404 ? "This scan isn't in the journal, or no longer." : error.message),
        button("Try again", load, { kind: "quiet" })));
    }
  });
  load();
  const end = listen((what, told) => what === "scans" && told?.amended === id && load());
  return () => {
    isOver = true;
    end();
  };
}

const back = (search) => h("a", { class: "back", href: `#/scans${search}` }, icon("back"), search ? "What was found" : "All scans");

function draw(holder, scan, reload, search) {
  const hasText = scan.text !== null && scan.text !== undefined;
  const focused = holder.contains(document.activeElement) && document.activeElement !== holder ? document.activeElement.textContent : null;
  replace(holder, back(search),
    h("div", { class: "card" },
      h("p", { class: "hero-kind" }, symbologyName(scan.symbology), " · ", h("time", { datetime: scan.time }, longTime(scan.time))),
      h("p", { class: "detail-text" }, visibleText(scan.text, { withheld: scan.withheld, limit: 300 })),
      hasText && h("div", { class: "row" },
        button("Copy the text", () => attempt("copy", () => copy(scan.text), "Copied, exactly as the code has it."),
        { kind: "quiet", icon: "copy" }))),
    answerCard(scan), receiptsCard(scan, reload), payloadCard(scan.payload), placeCard(scan), factsCard(scan));
  // A focus on a button stays there, or where it was.
  if (focused !== null) ([...holder.querySelectorAll("a, button")].find((one) => one.textContent === focused) ?? holder).focus({ preventScroll: true });
}

function answerCard(scan) {
  if (!scan.answer) return null;
  const [text, kind] = answerWords(scan.answer);
  return h("section", { class: "card", "aria-label": "The host's answer" }, h("h2", {}, "The host's answer"),
    h("p", {}, badge(text, kind), scan.answer.by && h("span", { class: "hint" }, ` by ${scan.answer.by}`),
      scan.answer.late && h("span", { class: "hint" }, " too late: nothing was moved")));
}

function receiptsCard(scan, reload) {
  const receipts = scan.receipts ?? [];
  const rows = receipts.map((receipt) => {
    const [text, kind] = outcomeWords(receipt.outcome);
    // What waits goes by itself.
    const again = receipt.outcome !== "accepted" && receipt.outcome !== "waiting" && may("operate");
    return h("li", { class: "receipt" },
      h("div", {}, h("strong", {}, receipt.output), " ", badge(text, kind),
      receipt.time && h("time", { class: "hint", datetime: receipt.time }, ` ${longTime(receipt.time)}`),
      receipt.reason && h("p", { class: "hint" }, visibleText(receipt.reason, { brief: true, limit: 300 }))),
    again && button(`Send again to ${receipt.output}`, () => attempt(`send ${receipt.output}`, async () => {
      await call("POST", `/scans/${encodeURIComponent(scan.id)}/send`, { body: { output: receipt.output } });
      reload();
    }, `On its way to ${receipt.output} again.`), { kind: "quiet small", icon: "send" }));
  });
  return h("section", { class: "card", "aria-labelledby": "receipts-title" }, h("h2", { id: "receipts-title" }, "Where it went"),
    rows.length ? h("ul", { class: "receipts" }, rows) : h("p", { class: "hint" },
      "No output has answered for it yet. It is kept in the journal."),
    holdsSecret(scan) && h("p", { class: "hint" }, "This code holds a secret. An output gets “(redacted)”, or nothing, in its place, unless ",
      "that output has ", h("code", {}, "secrets: revealed"), "."));
}

function payloadCard(payload) {
  if (!payload || payload.kind === "text") return null;
  const { kind, problems, ...rest } = payload;
  return h("section", { class: "card", "aria-labelledby": "payload-title" }, h("h2", { id: "payload-title" }, `What it means: ${kindName(kind)}`),
    kind === "url" && payload.host && h("p", { class: "hint" }, "It leads to ", visibleText(payload.host, { brief: true }),
      ". Nothing here opens it."),
    problems?.length ? h("ul", { class: "problems" },
      problems.map((problem) => h("li", {}, icon("alert"), visibleText(sentence(problem), { brief: true, limit: 400 })))) : null,
    table(rest, 0));
}

/** Whatever the fields are: names and values, one below the other. */
function table(value, depth) {
  if (depth > deepest) return h("span", {}, "…");
  if (Array.isArray(value)) return h("ol", { class: "values" }, value.slice(0, 100).map((item) => h("li", {}, table(item, depth + 1))));
  if (value && typeof value === "object") {
    return h("dl", { class: "facts" },
      Object.entries(value).map(([name, item]) => [h("dt", {}, spaced(name)), h("dd", {}, table(item, depth + 1))]));
  }
  if (typeof value === "boolean") return value ? "yes" : "no";
  return visibleText(value === null ? null : String(value));
}

/** `passwordIdentifier` as words. */
const spaced = (name) => name.replace(/([a-z])([A-Z0-9])/g, "$1 $2").toLowerCase();

function placeCard(scan) {
  if (!scan.corners?.length) return null;
  const ratio = scan.frame?.width && scan.frame?.height ? scan.frame.width / scan.frame.height : 16 / 9;
  const points = scan.corners.map(([x, y]) => `${x * 160 * 1},${y * (160 / ratio)}`).join(" ");
  return h("section", { class: "card", "aria-labelledby": "place-title" }, h("h2", { id: "place-title" }, "Its place in the picture"),
    svg("svg", { class: "place", viewBox: `-1 -1 162 ${160 / ratio + 2}`, role: "img", "aria-label": placeWords(scan.corners) },
      svg("rect", { x: 0, y: 0, width: 160, height: 160 / ratio, rx: 3, class: "place-frame" }), svg("polygon", { points, class: "place-code" })));
}

function placeWords(corners) {
  const middle = (axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length;
  const third = (value, low, mid, high) => (value < 1 / 3 ? low : value < 2 / 3 ? mid : high);
  return `In the ${third(middle(1), "upper", "middle", "lower")} part, ${third(middle(0), "left", "centre", "right")}`;
}

function factsCard(scan) {
  const facts = [
    ["Number", scan.seq], ["AIM identifier", scan.aim], ["Trigger", scan.trigger], ["Reads that agreed", scan.reads],
    ["Decoded in", scan.decodeMs !== undefined && `${decimal(scan.decodeMs)} ms`], ["From light to scan",
      scan.frame?.latencyMs !== undefined && `${decimal(scan.frame.latencyMs)} ms`],
    ["Light on dark", scan.inverted ? "yes" : null], ["Clock", scan.clock === "unsynced" ? "not synchronised" : null], ["Id", scan.id],
  ].filter(([, value]) => value !== undefined && value !== null && value !== false);
  return h("section", { class: "card", "aria-labelledby": "facts-title" }, h("h2", { id: "facts-title" }, "Facts"),
    h("dl", { class: "facts" }, facts.map(([name, value]) => [h("dt", {}, name), h("dd", {}, visibleText(String(value), { brief: true }))])));
}
