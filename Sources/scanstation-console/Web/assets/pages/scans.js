// The journal: newest first, searched, and each scan with all that is known of it.

import { get } from "../api.js";
import { button, field, h } from "../dom.js";
import { counted } from "../format.js";
import { scanDetail } from "../scan-detail.js";
import { scanRow } from "../scan-row.js";
import { listen, store } from "../store.js";
import { payloadKinds, sentence } from "../words.js";

const pageSize = 50;
/** What stays listed when somebody leaves the page open for a night. */
const mostListed = 1000;
const typingPauseMs = 300;

export function show(main, { rest, query }) {
  const id = rest[0] ? decodeURIComponent(rest[0]) : null;
  const list = h("ol", { class: "scan-list" });
  const status = h("p", { class: "list-status", role: "status" });
  const more = button("Show older ones", () => load(true), { kind: "quiet wide" });
  more.hidden = true;
  const filter = filterForm(query, () => {
    clearTimeout(timer);
    timer = setTimeout(() => load(false), typingPauseMs);
  });
  const listing = h("section", { class: "listing", "aria-label": "List of scans" }, filter.form, status, list, more);
  const detail = h("section", { class: "detail", tabindex: 0, "aria-label": "One scan" });
  main.classList.toggle("has-detail", id !== null);
  main.append(h("div", { class: "title-row" }, h("h1", { tabindex: -1 }, id ? "Scan" : "Scans"), filter.exports),
    h("div", { class: "split" }, listing, detail));

  let timer = 0;
  let scans = [];
  let asked = 0;
  let failed = false;
  let leaveDetail = () => {};
  if (id) leaveDetail = scanDetail(detail, id);
  else detail.append(h("p", { class: "empty" }, "Choose a scan to see all that is known of it."));

  async function load(older) {
    asked += 1;
    const mine = asked;
    const parameters = filter.parameters();
    filter.link(parameters);
    parameters.set("limit", pageSize);
    if (older && scans.length) parameters.set("before", scans[scans.length - 1].seq);
    more.disabled = true;
    try {
      const page = await get(`/scans?${parameters}`);
      if (mine !== asked) return;
      failed = false;
      scans = older ? [...scans, ...page.scans] : page.scans;
      more.hidden = !page.more || scans.length >= mostListed;
      draw();
    } catch (error) {
      if (mine !== asked) return;
      failed = true;
      status.className = "list-status form-error";
      status.textContent = `The list couldn't be loaded. ${sentence(error.message)}`;
    } finally {
      more.disabled = false;
    }
  }

  function draw() {
    const focused = list.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    list.replaceChildren(...scans.map((scan) => scanRow(scan, { current: scan.id === id })));
    if (focused) list.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    status.className = "list-status";
    const none = filter.isOn() ? "No scan fits. Take something out of the search." : "No scans yet. Hold a code in front of the camera: it appears here at once.";
    status.textContent = scans.length ? `${counted(scans.length, "scan")}${more.hidden ? "" : ", and older ones"}` : none;
  }

  // What is new is fetched with the same search, so that only what fits appears.
  const endListening = listen((what, told) => {
    const isBack = what === "state" && failed && !store.away && !store.lost;
    const isNew = what === "scans" && scans.length <= pageSize && (told?.scan || told?.resynced || told?.amended);
    if (isBack || isNew) {
      clearTimeout(timer);
      timer = setTimeout(() => load(false), typingPauseMs);
    }
  });
  load(false);
  return () => {
    endListening();
    clearTimeout(timer);
    leaveDetail();
  };
}

function filterForm(query, changed) {
  const text = h("input", { type: "search", name: "text", maxlength: 200, autocomplete: "off", oninput: changed, value: query.get("text") ?? "" });
  const kind = h("select", { name: "kind", onchange: changed }, h("option", { value: "" }, "any"),
    Object.entries(payloadKinds).map(([value, title]) => h("option", { value, selected: query.get("kind") === value }, title)));
  const from = h("input", { type: "datetime-local", name: "from", onchange: changed });
  const to = h("input", { type: "datetime-local", name: "to", onchange: changed });
  const form = h("form", { class: "filter", role: "search", onsubmit: (event) => event.preventDefault() },
    field("Text contains", text),
    h("details", {}, h("summary", {}, "More"), h("div", { class: "fields three" }, field("Kind", kind), field("From", from), field("To", to))));
  const csv = h("a", { class: "button quiet small", download: "" }, "CSV");
  const lines = h("a", { class: "button quiet small", download: "" }, "NDJSON");
  const parameters = () => {
    const found = new URLSearchParams();
    if (text.value) found.set("text", text.value);
    if (kind.value) found.set("kind", kind.value);
    for (const [name, input] of [["from", from], ["to", to]]) {
      const date = new Date(input.value);
      if (input.value && !Number.isNaN(date.getTime())) found.set(name, date.toISOString());
    }
    return found;
  };
  return {
    form, parameters,
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
