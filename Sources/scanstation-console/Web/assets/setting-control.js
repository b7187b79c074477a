// One key of the configuration as a form control, made from what the schema says of it.

import { button, fresh, h, say } from "./dom.js";

/**
 * @typedef {{key: string, section: string, type: string, choices?: string[], minimum?: number,
 *   maximum?: number, unit?: string, takes?: string, default: any, value: any, help: string, whileRunning?: boolean}} Key
 */

const isOn = (value) => value === true || value === "on";

/** Values as a person writes them: for showing, and for telling whether two are the same. */
export function written(value) {
  if (value === null || value === undefined) return "";
  if (value === true) return "on";
  if (value === false) return "off";
  if (Array.isArray(value)) return value.map(written).join(", ");
  if (typeof value === "object") return JSON.stringify(value);
  return String(value);
}

/** What the station's schema calls the kinds of values. */
const makes = ["text", "list", "switch", "choice", "integer", "number", "duration"];

/** What the page Live sets as well, by another rule. */
const elsewhere = {
  "capture.viewport": "Dragged on the page Live it is in effect at once, without a trial, and lasts until the station's next start unless it is kept there. "
    + "Set here it is tried for 60 seconds, and once kept it holds at each start.",
  "torch.mode": "The switch on the page Live holds until the station's next start. Set here it is tried for 60 seconds, and once kept it holds at each start.",
};

/** A key's control, and what was made of it. */
export class SettingControl {
  /**
   * @param {Key} key
   * @param {Function} changed
   */
  constructor(key, changed) {
    this.key = key;
    this.id = fresh("setting");
    this.input = this.make();
    this.input.id = this.id;
    this.input.addEventListener("input", () => this.mark(changed));
    this.problem = h("p", { class: "form-error", id: `${this.id}-problem` });
    this.was = h("p", { class: "was" });
    this.reset = button("Default", () => {
      this.put(this.key.default);
      this.mark(changed);
      this.input.focus();
    }, { kind: "quiet small" });
    // Without a default there is nothing to go back to.
    this.reset.hidden = key.default === null || key.default === undefined;
    this.reset.setAttribute("aria-label", `${key.key}: back to the default, ${written(key.default) || "nothing"}`);
    this.input.setAttribute("aria-describedby", `${this.id}-help ${this.id}-problem`);
    const label = h("label", { for: this.id }, name(key.key), " ", h("code", {}, key.key));
    this.element = h("div", { class: "setting" },
      h("div", { class: "setting-words" }, label, h("p", { class: "hint", id: `${this.id}-help` }, this.help()),
        elsewhere[key.key] && h("p", { class: "hint" }, elsewhere[key.key])),
      h("div", { class: "setting-control" }, h("div", { class: "row" }, this.input, key.unit && key.type !== "duration" && h("span", { class: "unit" }, key.unit), this.reset),
        this.was, this.problem));
    this.show();
    this.mark(() => {});
  }

  make() {
    const { key } = this;
    switch (key.type) {
      case "switch": return h("input", { type: "checkbox", role: "switch", class: "switch" });
      case "choice": return h("select", {}, (key.choices ?? []).map((choice) => h("option", { value: choice }, choice)));
      case "list": return h("textarea", { rows: 3, spellcheck: "false" });
      case "integer":
      case "number":
        // `auto`, `never`: a field for numbers wouldn't take it.
        if ([key.value, key.default].every((value) => value === null || value === undefined || Number.isFinite(Number(value)))) {
          return h("input", { type: "number", step: key.type === "integer" ? 1 : "any", min: key.minimum, max: key.maximum,
            inputmode: key.type === "integer" ? "numeric" : "decimal" });
        }
        return h("input", { type: "text", spellcheck: "false", autocomplete: "off" });
      default: return h("input", { type: "text", spellcheck: "false", autocomplete: "off", autocapitalize: "off", maxlength: 4096 });
    }
  }

  help() {
    const { key } = this;
    const [least, most] = [key.minimum !== undefined, key.maximum !== undefined];
    const range = least && most ? ` ${key.minimum} to ${key.maximum}.` : least ? ` At least ${key.minimum}.` : most ? ` At most ${key.maximum}.` : "";
    const shape = key.type === "duration" ? " Such as 500us, 5ms, 1.5s, 2min." : key.type === "list" ? " Separated by commas." : "";
    // Perhaps the station is newer.
    const strange = makes.includes(key.type) ? "" : ` This page doesn't know values of the kind “${key.type}”: type it as in station.yaml, and the station says whether it is right.`;
    const takes = key.takes ? ` Takes ${key.takes}.` : `${range}${shape}`;
    const start = key.whileRunning === false ? " Takes effect at the next start." : "";
    return `${key.help ?? ""}${takes}${strange} Default: ${written(key.default) || "none"}.${start}`;
  }

  put(value) {
    if (this.key.type === "switch") this.input.checked = isOn(value);
    else {
      const text = written(value);
      // A value that isn't among the choices is shown all the same.
      if (this.key.type === "choice" && ![...this.input.options].some((option) => option.value === text)) this.input.prepend(h("option",
        { value: text }, text || "(none)"));
      this.input.value = text;
    }
  }

  /** What the station has. */
  show() {
    this.put(this.key.value);
    this.shown = this.typed;
  }

  /** As it stands there, whether it is a value or half of one. */
  get typed() {
    return this.key.type === "switch" ? this.input.checked : this.input.value;
  }

  /** All that the page says of it. */
  get words() {
    return `${name(this.key.key)} ${this.help()}`;
  }

  /** As it is sent: of the type that the value had. */
  get value() {
    const { key, input } = this;
    if (key.type === "switch") return typeof key.value === "string" ? (input.checked ? "on" : "off") : input.checked;
    if (key.type === "list") return input.value.split(/[,\n]/).map((part) => part.trim()).filter(Boolean);
    const text = input.value.trim();
    const isNumber = key.type === "integer" || key.type === "number" || typeof key.value === "number";
    return isNumber && text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
  }

  get isChanged() {
    return written(this.value) !== written(this.key.value);
  }

  /** What is wrong with it, as far as the browser can tell; the station has the last word. */
  get fault() {
    const { validity } = this.input;
    if (validity.badInput) return "This isn't a number.";
    if (validity.rangeUnderflow || validity.rangeOverflow) return `From ${this.key.minimum ?? "…"} to ${this.key.maximum ?? "…"}.`;
    if (validity.stepMismatch) return "A whole number.";
    return "";
  }

  /** What runs now changed under the form: what is typed stays as it is, to the letter, as somebody may be typing. */
  rebase(key) {
    const wasChanged = this.isChanged;
    this.key = key;
    // Typed in another way than the station writes it, or set meanwhile by somebody else: once nobody is typing it is no change of anybody's.
    const isOver = !wasChanged && document.activeElement !== this.input;
    // A field with half a number says that it is empty.
    if ((this.typed === this.shown || isOver) && !this.input.validity.badInput) this.show();
    this.mark(() => {});
  }

  /** What is typed gives way to what the station has. */
  revert() {
    this.show();
    this.mark(() => {});
  }

  mark(changed) {
    const { isChanged, fault } = this;
    this.element.classList.toggle("changed", isChanged);
    say(this.was, isChanged ? `Runs with: ${written(this.key.value) || "nothing"}` : "");
    say(this.problem, fault);
    if (fault) this.input.setAttribute("aria-invalid", "true");
    else this.input.removeAttribute("aria-invalid");
    this.reset.disabled = written(this.value) === written(this.key.default);
    changed();
  }

  tell(fault) {
    say(this.problem, fault);
    this.input.setAttribute("aria-invalid", "true");
  }
}

/** `trigger.sameSymbolTimeout`: "Same symbol timeout". */
function name(key) {
  const words = key.split(".").slice(1).join(", ").replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase() || key;
  return words[0].toUpperCase() + words.slice(1);
}
