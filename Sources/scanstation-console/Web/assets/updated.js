// A page from before an update of the console: it may ask for what there no longer is, and not know what there is now.

import { announce } from "./announce.js";
import { button, h, icon } from "./dom.js";

const id = "updated";
const text = "The console was updated: reload this page.";

/** Said until it is done: it can't be closed, as it doesn't become less true. */
export function sayUpdated() {
  if (document.getElementById(id)) return;
  document.getElementById("notices").append(h("div", { class: "notice", id }, icon("alert"), h("p", {}, text),
    button("Reload", () => location.reload(), { kind: "quiet small" })));
  announce(text);
}
