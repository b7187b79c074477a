// How to add an output. A page in a network must not choose files and hosts, so this one composes what a person puts into the configuration.

import { copy } from "./clipboard.js";
import { button, h, say } from "./dom.js";
import { attempt } from "./notices.js";
import { kindWords } from "./output-words.js";
import { configuration, restartSteps } from "./service.js";

export function another() {
  const select = h("select", { id: "another-kind" });
  const starter = h("pre", { id: "another-starter" });
  const does = h("p", {});
  const first = h("p", { class: "advice" });
  const steps = h("ol", { class: "steps" });
  const copyButton = button("Copy these lines", () => attempt("copy", () => copy(`${starter.textContent}\n`), "Copied."), { kind: "quiet" });
  const body = h("div", { class: "stack", hidden: true },
    h("div", { class: "field" }, h("label", { for: "another-kind" }, "Where should scans go?"), select), does, first,
    h("p", { class: "hint" }, "These lines belong in the station's configuration. A page in a network can't put them there for you: it would choose files and hosts."),
    h("div", { class: "table-holder", tabindex: 0, role: "region", "aria-label": "Lines for the configuration" }, starter),
    h("div", { class: "row" }, copyButton), steps);
  const element = h("details", { class: "card another" }, h("summary", {}, "Add an output"), body);
  let kinds = [];
  let outputs = [];
  let drawn = "";

  function draw() {
    const kind = kinds.find((one) => one.kind === select.value) ?? kinds[0];
    body.hidden = !kind;
    if (!kind) return;
    const words = kindWords(kind.kind);
    say(does, words.does || kind.what);
    say(first, words.first && `Do this first: ${words.first[0].toLowerCase()}${words.first.slice(1)}`);
    starter.textContent = `outputs:\n${beside(outputs, kind.kind, hereabouts(kind.starter)).split("\n").map((line) => `  ${line}`).join("\n")}`;
    const place = configuration();
    const others = outputs.filter((output) => output.kind !== "control");
    steps.replaceChildren(
      h("li", {}, place.exists ? ["Open ", h("code", {}, place.file), " and put them in. If it has ", h("code", {}, "outputs:"), " already, leave out the first line and put the rest below those that are there."]
        : ["Make the file ", h("code", {}, place.file), ", which isn't there yet, with these lines."],
        !place.exists && others.some((output) => output.kind === "stdout") ? [" Scans are then no longer written to the terminal; another item, ", h("code", {}, "- stdout:"), ", indented like the others, keeps that."] : null),
      ...restartSteps().map((step) => h("li", {}, step)),
      h("li", {}, "It then appears on this page, and “Send a test scan” shows whether something arrives."));
  }

  select.addEventListener("change", draw);
  return {
    element,
    update(told, running) {
      outputs = running;
      const now = JSON.stringify([told, outputs.map((output) => [output.kind, output.name, output.place]), configuration()]);
      if (now === drawn) return;
      drawn = now;
      // An older station doesn't say.
      element.hidden = !told.length;
      if (told.length !== kinds.length) {
        kinds = told;
        select.replaceChildren(...kinds.map((one) => h("option", { value: one.kind }, `${kindWords(one.kind).title} (${one.kind})`)));
        select.value = kinds.some((one) => one.kind === "tcp") ? "tcp" : kinds[0]?.kind;
        if (!outputs.length) element.open = true;
      }
      draw();
    },
  };
}

/** With files where the user who started the station may write. */
function hereabouts(starter) {
  const { folder } = configuration();
  return folder ? starter.replace(/\/(var\/lib|run)\/scanstation(?=\/)/, folder) : starter;
}

/** A second one of its kind has a name of its own, and a file of its own. */
function beside(outputs, kind, starter) {
  const isTaken = (name) => outputs.some((output) => output.name === name);
  if (!isTaken(kind)) return starter;
  let number = 2;
  while (isTaken(`${kind}-${number}`)) number += 1;
  const own = outputs.reduce((lines, output) => (output.place ? lines.replace(output.place, numbered(output.place, number)) : lines), starter);
  return `${own}\n  name: ${kind}-${number}`;
}

/** `scans.txt` → `scans-2.txt`; a device has the name that it has, and a host may have two outputs. */
const numbered = (place, number) => (/^\/(?!dev\/)/.test(place) ? place.replace(/(\.[^./]*)?$/, (end) => `-${number}${end}`) : place);
