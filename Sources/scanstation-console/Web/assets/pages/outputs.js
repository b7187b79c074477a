// Where scans go, how that is, and what to do where it isn't well.

import { another } from "../another-output.js";
import { get } from "../api.js";
import { button, fill, h, icon, replace, say, withCode } from "../dom.js";
import { count, counted, longTime } from "../format.js";
import { oneAtATime } from "../one-at-a-time.js";
import { badge } from "../scan-row.js";
import { kindWords, stateWords } from "../output-words.js";
import { listen, may } from "../store.js";
import { sendTestScan } from "../test-scan.js";
import { clause, sentence } from "../words.js";

const againMs = 5000;

export function show(main) {
  const more = another();
  const list = h("div", { class: "cards" }, h("p", { class: "empty" }, "Loading…"));
  const noKinds = h("p", { class: "hint", hidden: true }, "This page can't say how to add an output: the station doesn't report which kinds it has. It is older than this page.");
  main.append(h("h1", { tabindex: -1 }, "Outputs"),
    h("p", { class: "lead" }, "Where scans go. What can't be delivered now waits in the station until it can."), list, more.element, noKinds);
  /** @type {Map<string, {element: HTMLElement, update: Function}>} */
  const cards = new Map();

  const load = oneAtATime(async () => {
    let outputs;
    try {
      const answer = await get("/outputs");
      outputs = answer.outputs ?? answer;
      noKinds.hidden = Boolean(answer.kinds);
      more.update(answer.kinds ?? [], outputs);
    } catch (error) {
      cards.clear();
      list.replaceChildren(h("div", { class: "empty" }, h("p", {}, sentence(error.message)), button("Try again", load, { kind: "quiet" })));
      return;
    }
    if (!outputs.length) {
      cards.clear();
      list.replaceChildren(h("div", { class: "empty" }, icon("outputs"), h("p", {}, h("strong", {}, "Scans go nowhere yet.")),
        h("p", {}, "The station keeps them, and hands them on as soon as it has an output. Begin below.")));
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
  });

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
  const does = h("p", {});
  const look = h("p", { class: "hint" });
  const terms = h("p", { class: "hint" });
  const element = h("section", { class: "card output", "aria-label": `Output ${name}` },
    h("div", { class: "card-head" }, h("h2", {}, name), state), does, body, may("operate") && h("div", { class: "stack tight" }, h("div", { class: "row" }, test), look),
    terms);
  return {
    element,
    update(output) {
      const words = stateWords(output);
      const kind = kindWords(output.kind);
      state.replaceChildren(badge(words.word, words.look));
      replace(does, withCode(kind.does));
      // What nothing has reached yet is tried first.
      replace(look, output.delivered ? "" : ["Nothing has gone there yet. Send one, and ", withCode(kind.look), "."]);
      say(terms, [kind.term, output.place, `state: ${output.state}`].filter(Boolean).join(" · "));
      const isWell = output.state === "ready";
      const error = output.lastError ?? output.detail;
      // Asked for every few seconds: who is on its link stays there.
      fill(body,
        h("p", { class: "output-lag" },
          output.lag ? [h("strong", {}, counted(output.lag, "scan")), output.lag === 1 ? " waits" : " wait"] : "Nothing waits",
          h("span", { class: "hint" },
          ` · ${count(output.delivered)} delivered`,
          output.refused ? [" · ", h("a", { href: "#/scans?receipt=refused" }, `${count(output.refused)} refused`)] : null,
          output.required === false ? " · the station doesn't keep scans for it" : null)),
        (error || words.means) && trouble(output, words, isWell, error));
    },
  };
}

/** What the state means, then what to do, then what the other side said. */
function trouble(output, words, isWell, error) {
  return h("div", { class: `trouble ${isWell ? "past" : words.look}` }, icon("alert"), h("div", {},
    isWell ? h("p", {}, h("span", { class: "hint" }, "It is over. The last error: "), sentence(error)) : words.means && h("p", {}, words.means),
    !isWell && output.advice && h("p", { class: "advice" }, "What to do: ", clause(output.advice)),
    !isWell && error && h("p", { class: "hint" }, "The reason: ", clause(error)),
    error && output.lastErrorTime && h("p", { class: "hint" }, longTime(output.lastErrorTime))));
}
