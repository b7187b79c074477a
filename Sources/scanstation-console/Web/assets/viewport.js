// The viewport as something to take hold of: dragged, resized at its corners, moved by keys, or typed as percent.

import { call, get } from "./api.js";
import { button, h, icon, say } from "./dom.js";
import { attempt, worked } from "./notices.js";
import { may } from "./store.js";

const smallest = 0.05;
const edge = 0.04;
const step = 0.01;
const bigStep = 0.05;

const corners = [
  { name: "nw", title: "top left", left: true, top: true },
  { name: "ne", title: "top right", left: false, top: true },
  { name: "sw", title: "bottom left", left: true, top: false },
  { name: "se", title: "bottom right", left: false, top: false },
];

/** A rectangle inside the frame, whatever was asked for. */
function inside({ x, y, width, height }) {
  const w = Math.min(Math.max(width, smallest), 1);
  const t = Math.min(Math.max(height, smallest), 1);
  return { x: round(Math.min(Math.max(x, 0), 1 - w)), y: round(Math.min(Math.max(y, 0), 1 - t)), width: round(w), height: round(t) };
}

const round = (number) => Math.round(number * 10000) / 10000;

/** Lies over the picture while the viewport is being changed. */
export class ViewportEditor {
  /**
   * @param {function({x: number, y: number, width: number, height: number, rule: string}|null): Promise<boolean>} onChange null: the whole picture
   * @param {Function} onDone
   */
  constructor(onChange, onDone) {
    this.onChange = onChange;
    this.onDone = onDone;
    this.rect = { x: 0, y: 0, width: 1, height: 1 };
    this.rule = "centre";
    this.box = h("div", { class: "viewport-box" }, this.mover(), corners.map((corner) => this.handle(corner)));
    this.layer = h("div", { class: "viewport-layer", role: "group", "aria-label": "Viewport on the picture", hidden: true }, this.box);
    this.inputs = Object.fromEntries(["x", "y", "width", "height"].map((name) => [name,
      h("input", { type: "number", min: name.length > 1 ? 5 : 0, max: 100, step: "any", inputmode: "decimal", id: `viewport-${name}`,
        onchange: () => this.typed(name) })]));
    this.ruleInput = h("select", { id: "viewport-rule", onchange: () => this.typed() },
      h("option", { value: "centre" }, "its centre is inside"), h("option", { value: "entire" }, "all of it is inside"));
    const label = (name, text) => h("div", { class: "field" }, h("label", { for: `viewport-${name}` }, text), this.inputs[name]);
    this.keepButton = button("Keep it", () => this.keep(), { kind: "quiet" });
    this.keepButton.hidden = !may("manage");
    // What differs from the page Settings, where it is said as well. It has its height from the start, so that nothing moves.
    this.lasts = h("p", { class: "hint viewport-lasts", role: "status" });
    const escape = (event) => event.key === "Escape" && this.done();
    this.layer.addEventListener("keydown", escape);
    this.panel = h("section", { onkeydown: escape, class: "card viewport-panel", "aria-labelledby": "viewport-title", hidden: true },
      h("h2", { id: "viewport-title" }, "Viewport"),
      h("p", { class: "hint" },
        "Only codes in this rectangle are read. Drag it or its corners, use the arrow keys (with Shift: larger steps), or type percent of the picture."),
      h("div", { class: "fields four" }, label("x", "Left"), label("y", "Top"), label("width", "Width"), label("height", "Height")),
      h("div", { class: "field" }, h("label", { for: "viewport-rule" }, "A code counts when"), this.ruleInput),
      h("div", { class: "row" }, button("Whole picture", () => this.whole(), { kind: "quiet" }), this.keepButton, button("Done", () => this.done(), { kind: "primary" })),
      this.lasts);
    this.tell("same");
  }

  /** How long it lasts: `same`: nothing was changed here; `loose`: until the next start; `kept`. */
  tell(state) {
    this.state = state;
    const whoKeeps = may("manage") ? "“Keep it” makes the station start with it." : "Only people who may change settings can keep it.";
    say(this.lasts, { same: `A change here is in effect at once, without a trial, and lasts until the station's next start. ${whoKeeps}`,
      loose: `In effect now, and gone at the station's next start. ${whoKeeps}`,
      kept: "Kept: the station starts with this viewport from now on." }[state]);
    this.lasts.classList.toggle("loose", state === "loose");
  }

  /** Into what was kept over the console, which holds at the next start as well. */
  keep() {
    return attempt("viewport", async () => {
      // What was just dragged first.
      await this.sent;
      const { revision, keys, trial } = await get("/settings");
      // They would be kept with it, unseen.
      if (trial) throw new Error("Other settings are on trial: keep them or take them back first.");
      const value = keys.find((one) => one.key === "capture.viewport")?.value;
      await call("PATCH", "/settings", { headers: { "If-Match": revision }, body: { values: { "capture.viewport": value } } });
      await call("POST", "/settings/keep");
      this.tell("kept");
    }, "The station will start with this viewport from now on.");
  }

  done() {
    if (this.state === "loose") {
      worked("viewport", `This viewport lasts until the station's next start.${may("manage") ? " To have it beyond that: Viewport, then Keep it." : ""}`);
    }
    this.onDone();
  }

  get isOpen() {
    return !this.layer.hidden;
  }

  open(viewport) {
    this.layer.hidden = this.panel.hidden = false;
    this.rule = viewport?.rule ?? "centre";
    this.show(viewport ?? { x: 0, y: 0, width: 1, height: 1 });
    this.box.querySelector("button").focus({ preventScroll: true });
  }

  close() {
    this.layer.hidden = this.panel.hidden = true;
  }

  show(rect) {
    this.rect = inside(rect);
    const { style } = this.box;
    style.setProperty("left", `${this.rect.x * 100}%`);
    style.setProperty("top", `${this.rect.y * 100}%`);
    style.setProperty("width", `${this.rect.width * 100}%`);
    style.setProperty("height", `${this.rect.height * 100}%`);
    // Handles at the picture's very edge lie inside it, where people can take hold of them.
    const edges = { west: this.rect.x < edge, north: this.rect.y < edge, east: this.rect.x + this.rect.width > 1 - edge,
      south: this.rect.y + this.rect.height > 1 - edge };
    for (const [side, isAt] of Object.entries(edges)) this.box.classList.toggle(`at-${side}`, isAt);
    for (const [name, input] of Object.entries(this.inputs)) if (document.activeElement !== input) input.value = Math.round(this.rect[name] * 1000) / 10;
    this.ruleInput.value = this.rule;
  }

  send(viewport = { ...this.rect, rule: this.rule }) {
    this.sent = this.onChange(viewport).then((isSet) => isSet && this.tell("loose"));
  }

  whole() {
    this.show({ x: 0, y: 0, width: 1, height: 1 });
    this.send(null);
  }

  /** What was typed holds, and the other side gives way. */
  typed(name) {
    const value = (side) => (this.inputs[side].value === "" ? this.rect[side] : Number(this.inputs[side].value) / 100);
    const rect = { x: value("x"), y: value("y"), width: value("width"), height: value("height") };
    if (name === "x" || name === "y") {
      const size = name === "x" ? "width" : "height";
      rect[name] = Math.min(Math.max(rect[name], 0), 1 - smallest);
      rect[size] = Math.min(rect[size], 1 - rect[name]);
    }
    this.rule = this.ruleInput.value;
    this.show(rect);
    for (const [side, input] of Object.entries(this.inputs)) input.value = Math.round(this.rect[side] * 1000) / 10;
    this.send();
  }

  mover() {
    return this.grip(h("button", { type: "button", class: "grip move", "aria-label": "Move the viewport: arrow keys" }, icon("move")),
      (start, dx, dy) => ({ ...start, x: start.x + dx, y: start.y + dy }));
  }

  handle(corner) {
    return this.grip(h("button", { type: "button", class: `grip ${corner.name}`, "aria-label": `Resize at the ${corner.title} corner: arrow keys` },
      h("span", {})), (start, dx, dy) => {
      const right = start.x + start.width;
      const bottom = start.y + start.height;
      const x = corner.left ? Math.min(Math.max(start.x + dx, 0), right - smallest) : start.x;
      const y = corner.top ? Math.min(Math.max(start.y + dy, 0), bottom - smallest) : start.y;
      const farX = corner.left ? right : Math.max(Math.min(right + dx, 1), start.x + smallest);
      const farY = corner.top ? bottom : Math.max(Math.min(bottom + dy, 1), start.y + smallest);
      return { x, y, width: farX - x, height: farY - y };
    });
  }

  /** Lets a grip be dragged and moved by keys; `change` says what the rectangle becomes. */
  grip(element, change) {
    let from = null;
    let later = 0;
    element.addEventListener("pointerdown", (event) => {
      element.setPointerCapture(event.pointerId);
      from = { x: event.clientX, y: event.clientY, rect: this.rect };
      event.stopPropagation();
    });
    element.addEventListener("pointermove", (event) => {
      if (!from) return;
      const area = this.layer.getBoundingClientRect();
      this.show(change(from.rect, (event.clientX - from.x) / area.width, (event.clientY - from.y) / area.height));
    });
    const end = () => {
      if (!from) return;
      from = null;
      this.send();
    };
    element.addEventListener("pointerup", end);
    element.addEventListener("pointercancel", end);
    element.addEventListener("click", (event) => event.stopPropagation());
    element.addEventListener("keydown", (event) => {
      const by = event.shiftKey ? bigStep : step;
      const move = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, -by], ArrowDown: [0, by] }[event.key];
      if (!move) return;
      event.preventDefault();
      event.stopPropagation();
      this.show(change(this.rect, ...move));
      clearTimeout(later);
      later = setTimeout(() => this.send(), 200);
    });
    return element;
  }
}
