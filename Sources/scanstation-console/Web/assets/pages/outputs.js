// Where scans go, how that is, and what to do where it isn't well.

import { another } from "../another-output.js";
import { get } from "../api.js";
import { button, h, icon } from "../dom.js";
import { count, counted, longTime } from "../format.js";
import { badge } from "../scan-row.js";
import { listen, may } from "../store.js";
import { sendTestScan } from "../test-scan.js";
import { clause, outputStateWords, sentence } from "../words.js";

const againMs = 5000;
const kinds = { serial: "serial line", unix: "Unix socket", stdout: "standard output", tcp: "TCP", mqtt: "MQTT", webhook: "webhook",
  keyboard: "USB keyboard", file: "file" };

export function show(main) {
  const more = another();
  const list = h("div", { class: "cards" }, h("p", { class: "empty" }, "Loading…"));
  main.append(h("h1", { tabindex: -1 }, "Outputs"),
    h("p", { class: "lead" }, "Where scans go. What can't be delivered now waits in the station until it can."), list, more.element);
  /** @type {Map<string, {element: HTMLElement, update: Function}>} */
  const cards = new Map();

  async function load() {
    let outputs;
    try {
      const answer = await get("/outputs");
      outputs = answer.outputs ?? answer;
      more.update(answer.kinds ?? [], outputs);
    } catch (error) {
      cards.clear();
      list.replaceChildren(h("div", { class: "empty" }, h("p", {}, sentence(error.message)), button("Try again", load, { kind: "quiet" })));
      return;
    }
    if (!outputs.length) {
      cards.clear();
      list.replaceChildren(h("div", { class: "empty" }, icon("outputs"), h("p", {}, h("strong", {}, "Scans go nowhere yet.")),
        h("p", {}, "The station keeps them.")));
      return;
    }
    const names = new Set(outputs.map((output) => output.name));
    for (const [name, card] of cards) if (!names.has(name)) card.element.remove(), cards.delete(name);
    if (!cards.size) list.replaceChildren();
    for (const output of outputs) {
      if (!cards.has(output.name)) {
        cards.set(output.name, outputCard(output.name));
        list.append(cards.get(output.name).element);
      }
      cards.get(output.name).update(output);
    }
  }

  load();
  let soon = 0;
  const timer = setInterval(() => document.hidden || load(), againMs);
  const end = listen((what) => {
    if (what !== "state") return;
    clearTimeout(soon);
    soon = setTimeout(load, 400);
  });
  return () => {
    clearInterval(timer);
    clearTimeout(soon);
    end();
  };
}

function outputCard(name) {
  const state = h("span", {});
  const body = h("div", { class: "stack" });
  const test = button("Send a test scan", async () => {
    test.disabled = true;
    await sendTestScan(name);
    test.disabled = false;
  }, { kind: "quiet", icon: "send" });
  test.setAttribute("aria-label", `Send a test scan to ${name}`);
  const kind = h("span", { class: "hint" });
  const element = h("section", { class: "card output", "aria-label": `Output ${name}` },
    h("div", { class: "card-head" }, h("h2", {}, name), kind, state), body, may("operate") && h("div", { class: "row" }, test));
  return {
    element,
    update(output) {
      const [word, look] = outputStateWords(output.state);
      state.replaceChildren(badge(word, look));
      kind.textContent = [output.kind === name ? null : kinds[output.kind] ?? output.kind, output.place].filter(Boolean).join(" · ");
      const isWell = output.state === "ready";
      const error = output.lastError ?? output.detail;
      body.replaceChildren(
        h("p", { class: "output-lag" },
          output.lag ? [h("strong", {}, counted(output.lag, "scan")), output.lag === 1 ? " waits" : " wait"] : "Nothing waits",
          h("span", { class: "hint" },
          ` · ${count(output.delivered)} delivered`,
          output.refused ? [" · ", h("a", { href: "#/scans?receipt=refused" }, `${count(output.refused)} refused`)] : null,
          output.required === false ? " · the station doesn't keep scans for it" : null)),
        ...(error ? [h("div", { class: `trouble ${isWell ? "past" : look}` }, icon("alert"),
          h("div", {}, h("p", {}, isWell ? h("span", { class: "hint" }, "It is over. The last error: ") : null, sentence(error)),
          output.advice && h("p", { class: "advice" }, "What to do: ", clause(output.advice)), output.lastErrorTime && h("p", { class: "hint" },
            longTime(output.lastErrorTime))))] : []));
    },
  };
}
