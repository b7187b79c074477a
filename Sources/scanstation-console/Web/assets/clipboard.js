// Text for the clipboard, over plain HTTP in the network, too, where pages have none of the modern kind.

import { h } from "./dom.js";

/**
 * Copies text as it is; whatever has the focus keeps it.
 * @param {string} text
 * @throws {Error} the browser doesn't let the page copy
 */
export async function copy(text) {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
  const focused = document.activeElement;
  const area = h("textarea", { class: "unseen", "aria-hidden": "true", tabindex: -1 });
  area.value = text;
  document.body.append(area);
  area.select();
  const worked = document.execCommand("copy");
  area.remove();
  focused?.focus({ preventScroll: true });
  if (!worked) throw new Error("This browser doesn't let the page copy. Mark the text and copy it yourself.");
}
