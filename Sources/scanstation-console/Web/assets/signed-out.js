// Why somebody who was signed in has to do it again, and what becomes of their work.

import { h, icon } from "./dom.js";
import { counted } from "./format.js";
import { keptEdits } from "./kept-edits.js";

/** The console ends a sign-in that nobody used for this long. */
const idleMs = 12 * 3600_000;

/** @param {import("./api.js").ApiError} ended what ended the sign-in */
export function signedOut(ended) {
  const kept = Object.keys(keptEdits()).length;
  return h("div", { class: "trouble warn", role: "status" }, icon("alert"), h("div", {},
    h("p", {}, ended.idleMs >= idleMs ? "You were signed out: nobody used this page for 12 hours."
      : "You were signed out: somebody did it in another window, the console was started again, or the sign-in was 30 days old."),
    kept > 0 && h("p", {}, `${counted(kept, "change")} of settings that you hadn't applied ${kept === 1 ? "is" : "are"} kept until you are signed in again.`)));
}
