// Elements without HTML: text only ever becomes text nodes, so that what a code says can't become markup.

/**
 * Makes an element.
 * @param {string} tag
 * @param {Object<string, any>} [attributes] `class`, `onclick` and the like; true and false switch an attribute; null leaves it out
 * @param {...(Node|string|number|null|false|Array)} children
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) set(element, name, value);
  element.append(...flat(children));
  return element;
}

/** The same for SVG. */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) set(element, name, value);
  element.append(...flat(children));
  return element;
}

/**
 * A picture from icons.svg. It says nothing by itself: the button that has it does.
 * @param {string} name
 */
export function icon(name) {
  return svg("svg", { class: "icon", "aria-hidden": "true", focusable: "false" }, svg("use", { href: `#icon-${name}` }));
}

/** Another picture in its place. */
export function setIcon(element, name) {
  const use = element.querySelector("use");
  const href = `#icon-${name}`;
  if (use.getAttribute("href") !== href) use.setAttribute("href", href);
}

/** Takes the pictures into the page, so that they are there even when the console isn't. Without them everything still has its words. */
export async function loadIcons() {
  try {
    const file = new DOMParser().parseFromString(await (await fetch("/assets/icons.svg")).text(), "image/svg+xml").documentElement;
    for (const symbol of file.querySelectorAll("symbol")) symbol.id = `icon-${symbol.id}`;
    file.setAttribute("class", "unseen");
    file.setAttribute("aria-hidden", "true");
    document.body.append(document.importNode(file, true));
  } catch {
    // Said above.
  }
}

/**
 * A button.
 * @param {string} text
 * @param {Function} onclick
 * @param {{icon?: string, kind?: string}} [look] kind: `primary`, `quiet`, `danger`
 */
export function button(text, onclick, look = {}) {
  return h("button", { type: "button", class: `button ${look.kind ?? ""}`, onclick }, look.icon && icon(look.icon), h("span", {}, text));
}

/** As `replaceChildren`, without what isn't there. */
export function replace(element, ...children) {
  element.replaceChildren(...flat(children));
}

/** Puts other children into an element, and only touches the document if they differ. */
export function fill(element, ...children) {
  const next = h("div", {}, ...children);
  const isSame = next.childNodes.length === element.childNodes.length && [...next.childNodes].every((child,
    index) => child.isEqualNode(element.childNodes[index]));
  // Nodes look equal whatever their handlers do.
  if (!isSame || next.querySelector("button, input, select, textarea")) element.replaceChildren(...next.childNodes);
  return element;
}

/** Sets text without touching the document when it is the same. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Commands and fields, which stand between backticks in the station's texts. */
export function withCode(text) {
  return text.split("`").map((part, index) => (index % 2 ? h("code", {}, part) : part));
}

/** A text field, select or checkbox with its label. */
export function field(label, control, hint) {
  control.id ||= fresh("field");
  const note = hint && h("p", { class: "hint", id: `${control.id}-hint` }, hint);
  if (note) control.setAttribute("aria-describedby", note.id);
  return h("div", { class: "field" }, h("label", { for: control.id }, label), control, note);
}

let last = 0;
/** An id that nothing else has. */
export function fresh(prefix) {
  last += 1;
  return `${prefix}-${last}`;
}

function set(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else if (name === "value" || name === "checked" || name === "selected") element[name] = value;
  else element.setAttribute(name, value === true ? "" : String(value));
}

function flat(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false && child !== "");
}
