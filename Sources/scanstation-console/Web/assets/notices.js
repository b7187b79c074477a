// Messages: what worked goes away by itself, what failed stays until it is closed or the same thing works.

import { h, icon } from "./dom.js";
import { announceNow, announce } from "./announce.js";
import { plain } from "./visible-text.js";
import { ended, sentence } from "./words.js";

const goneAfterMs = 5000;
const most = 3;
const longest = 600;

/** @type {Map<string, HTMLElement>} by subject: a newer word on it replaces the older one */
const shown = new Map();

/**
 * @param {string} subject what it is about: `torch`, `viewport`
 * @param {string} told
 * @param {number} [shownMs]
 */
export function worked(subject, told, shownMs = goneAfterMs) {
  const text = ended(told);
  show(subject, text, "good");
  announce(text);
  const notice = shown.get(subject);
  setTimeout(() => shown.get(subject) === notice && clear(subject), shownMs);
}

export function failed(subject, error) {
  // What the station said is written for lines of a log; what the page says has its form.
  const text = plain(typeof error === "string" ? ended(error) : sentence(error.message), longest);
  show(subject, text, "bad");
  announceNow(text);
}

export function clear(subject) {
  shown.get(subject)?.remove();
  shown.delete(subject);
}

/** What failed on the page that is left. What the station itself said, and a trial that goes on, are no page's. */
export function clearFailures() {
  for (const [subject, notice] of shown) {
    if (notice.classList.contains("bad") && subject !== "trial" && !subject.startsWith("station ")) clear(subject);
  }
}

/**
 * Does something, and says how it went.
 * @param {string} subject
 * @param {Function} action
 * @param {string} [success] nothing is said without it: people see it
 * @returns {Promise<boolean>} whether it worked
 */
export async function attempt(subject, action, success) {
  try {
    await action();
    clear(subject);
    if (success) worked(subject, success);
    return true;
  } catch (error) {
    // The page shows the sign-in, or that nothing answers.
    if (error.status === 401) return false;
    failed(subject, error);
    return false;
  }
}

function show(subject, text, kind) {
  clear(subject);
  while (shown.size >= most) clear(shown.keys().next().value);
  const notice = h("div", { class: `notice ${kind}` }, icon(kind === "good" ? "check" : "alert"), h("p", {}, text),
    h("button", { type: "button", class: "close", "aria-label": `Close the message: ${text.slice(0, 40)}`, onclick: () => clear(subject) },
      icon("close")));
  shown.set(subject, notice);
  document.getElementById("notices").append(notice);
}
