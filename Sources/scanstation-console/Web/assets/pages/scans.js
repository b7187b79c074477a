// The journal: newest first, searched, and each scan with all that is known of it.

import { get } from "../api.js";
import { button, field, h } from "../dom.js";
import { counted, shortTime } from "../format.js";
import { scanDetail } from "../scan-detail.js";
import { scanRow } from "../scan-row.js";
import { listen, store } from "../store.js";
import { payloadKinds, sentence } from "../words.js";

const pageSize = 50;
/** What stays listed when somebody leaves the page open for a night. */
const mostListed = 1000;
const typingPauseMs = 300;
/** The station looks at 2000 scans for one question. A search goes on by itself for this many, then the button does. */
const mostQuestions = 10;
/** What the API takes. */
const longestSearch = 128;
/** What an output may have said of the scans that are searched for. */
const receiptFilters = {
  refused: "refused it", undeliverable: "couldn't deliver it", skipped: "skipped it", accepted: "took it",
};

export function show(main, { rest, query }) {
  const id = rest[0] ? decodeURIComponent(rest[0]) : null;
  const list = h("ol", { class: "scan-list" });
  const status = h("p", { class: "list-status", role: "status" });
  const more = button("Show older ones", () => load("older"), { kind: "quiet wide" });
  more.hidden = true;
  const filter = filterForm(query, () => {
    clearTimeout(timer);
    timer = setTimeout(() => load("all"), typingPauseMs);
  });
  const listing = h("section", { class: "listing", "aria-label": "List of scans" }, filter.form, status, list, more);
  const detail = h("section", { class: "detail", tabindex: 0, "aria-label": "One scan" });
  main.classList.toggle("has-detail", id !== null);
  main.append(h("div", { class: "title-row" }, h("h1", { tabindex: -1 }, id ? "Scan" : "Scans"), filter.exports),
    h("div", { class: "split" }, listing, detail));

  let timer = 0;
  let scans = [];
  /** Up to where, and how long ago, the journal has been searched. */
  let reach = { before: null, time: null, more: false };
  let asked = 0;
  /** What `load` is at; null: nothing. */
  let busyWith = null;
  let waitsForNew = false;
  let failed = false;
  let leaveDetail = () => {};
  if (id) leaveDetail = scanDetail(detail, id, filter.search());
  else detail.append(h("p", { class: "empty" }, "Choose a scan to see all that is known of it."));

  /**
   * `what`: "all" begins again; "older" goes on where the last one stopped; "new" looks at the newest again, and leaves the rest as it is.
   */
  async function load(what) {
    // A station that scans all the time must not end a search that is under way.
    if (what === "new" && busyWith) {
      waitsForNew = true;
      return;
    }
    asked += 1;
    // "all" has what is new, too.
    waitsForNew = what === "older" && busyWith === "new";
    busyWith = what;
    const mine = asked;
    const parameters = filter.parameters();
    filter.link(parameters);
    // Somebody who opens a scan, or loads the page again, comes back to the same search.
    history.replaceState(null, "", `#/scans${id ? `/${encodeURIComponent(id)}` : ""}${filter.search()}`);
    parameters.set("limit", pageSize);
    // Whoever presses it while a scan comes isn't to press it again.
    if (what !== "new") more.disabled = true;
    try {
      let found = 0;
      for (let question = 0; question < (what === "new" ? 1 : mostQuestions); question += 1) {
        if (what === "older" || question > 0) parameters.set("before", reach.before);
        const page = await get(`/scans?${parameters}`);
        if (mine !== asked) return;
        failed = false;
        found += page.scans.length;
        take(page, what === "all" && question === 0 ? [] : scans, what === "new");
        if (found > 0 || !page.more) break;
        status.textContent = `Searching… back to ${shortTime(page.reached)} so far.`;
      }
      draw();
    } catch (error) {
      if (mine !== asked) return;
      failed = true;
      status.className = "list-status form-error";
      status.textContent = `The list couldn't be loaded. ${sentence(error.message)}`;
    } finally {
      if (mine === asked) {
        busyWith = null;
        more.disabled = false;
        if (waitsForNew) load("new");
      }
    }
  }

  /** A page has all that fits from the newest, or from where it was asked to go on, down to its `before`. */
  function take(page, before, isNewest) {
    if (!isNewest) {
      scans = [...before, ...page.scans];
      reach = { before: page.before, time: page.reached, more: page.more };
      return;
    }
    scans = [...page.scans, ...before.filter((scan) => scan.seq < page.before)];
    if (page.before < reach.before) reach = { before: page.before, time: page.reached, more: page.more };
    // A page that is left open for a night doesn't grow.
    if (scans.length > pageSize) {
      scans = scans.slice(0, pageSize);
      reach = { before: scans.at(-1).seq, time: scans.at(-1).time, more: true };
    }
  }

  function draw() {
    const focused = list.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    list.replaceChildren(...scans.map((scan) => scanRow(scan, { current: scan.id === id, search: filter.search() })));
    if (focused) [...list.querySelectorAll("a")].find((one) => one.getAttribute("href") === focused)?.focus({ preventScroll: true });
    more.hidden = !reach.more || scans.length >= mostListed;
    more.textContent = scans.length ? "Show older ones" : "Search further back";
    status.className = "list-status";
    status.textContent = summary();
  }

  function summary() {
    if (scans.length) return `${counted(scans.length, "scan")}${reach.more ? (filter.isOn() ? ", and perhaps older ones" : ", and older ones") : ""}`;
    if (!filter.isOn()) return "No scans yet. Hold a code in front of the camera: it appears here at once.";
    if (reach.more) return `No scan since ${shortTime(reach.time)} matches.`;
    return "No scan matches. Remove part of the search.";
  }

  // New scans are fetched with the same search, so that only those that match appear.
  const endListening = listen((what, told) => {
    const isBack = what === "state" && failed && !store.away && !store.lost;
    // Somebody who reads older ones isn't disturbed.
    const follows = what === "scans" && scans.length <= pageSize;
    const isNew = follows && (told?.scan || told?.amended);
    if (isBack || isNew || (follows && told?.resynced)) {
      clearTimeout(timer);
      timer = setTimeout(() => load(isNew && reach.before !== null ? "new" : "all"), typingPauseMs);
    }
  });
  load("all");
  return () => {
    endListening();
    clearTimeout(timer);
    asked += 1;
    leaveDetail();
  };
}

function filterForm(query, changed) {
  const text = h("input", { type: "search", name: "text", maxlength: longestSearch, autocomplete: "off", oninput: changed, value: query.get("text") ?? "" });
  const kind = h("select", { name: "kind", onchange: changed }, h("option", { value: "" }, "any"),
    Object.entries(payloadKinds).map(([value, title]) => h("option", { value, selected: query.get("kind") === value }, title)));
  const receipt = h("select", { name: "receipt", onchange: changed }, h("option", { value: "" }, "said anything, or nothing"),
    Object.entries(receiptFilters).map(([value, title]) => h("option", { value, selected: query.get("receipt") === value }, title)));
  const from = h("input", { type: "datetime-local", name: "from", onchange: changed, value: query.get("from") ?? "" });
  const to = h("input", { type: "datetime-local", name: "to", onchange: changed, value: query.get("to") ?? "" });
  const form = h("form", { class: "filter", role: "search", onsubmit: (event) => event.preventDefault() },
    field("Text contains", text),
    h("details", { open: ["kind", "receipt", "from", "to"].some((name) => query.has(name)) }, h("summary", {}, "More"), h("div", { class: "fields three" },
      field("Kind", kind), field("An output", receipt), field("From", from), field("To", to))));
  const csv = h("a", { class: "button quiet small", download: "" }, "CSV");
  const lines = h("a", { class: "button quiet small", download: "" }, "NDJSON");
  const parameters = () => {
    const found = new URLSearchParams();
    if (text.value) found.set("text", text.value);
    if (kind.value) found.set("kind", kind.value);
    if (receipt.value) found.set("receipt", receipt.value);
    for (const [name, input] of [["from", from], ["to", to]]) {
      const date = new Date(input.value);
      if (input.value && !Number.isNaN(date.getTime())) found.set(name, date.toISOString());
    }
    return found;
  };
  /** As typed, for the page's address. */
  const search = () => {
    const typed = new URLSearchParams([text, kind, receipt, from, to].filter((input) => input.value).map((input) => [input.name, input.value]));
    return typed.size ? `?${typed}` : "";
  };
  return {
    form, parameters, search,
    exports: h("div", { class: "row exports" }, h("span", { class: "hint" }, "Export"), csv, lines),
    isOn: () => [...parameters()].length > 0,
    link(found) {
      for (const [link, format] of [[csv, "csv"], [lines, "ndjson"]]) {
        const all = new URLSearchParams(found);
        all.set("format", format);
        link.href = `/api/v1/scans/export?${all}`;
        link.setAttribute("aria-label", `Export what is found as ${format === "csv" ? "CSV" : "NDJSON"}`);
      }
    },
  };
}
