// Signing in: by password, or by a link with a key that works once. Without any password the page only says how to get in.

import { call } from "../api.js";
import { button, field, h, withCode } from "../dom.js";
import { store } from "../store.js";
import { clause } from "../words.js";

/** Why the last link didn't work. */
let keyTrouble = null;

/**
 * Uses a one-time key.
 * @returns {Promise<boolean>} whether it worked
 */
export async function redeem(key, entered) {
  try {
    await call("POST", "/session", { body: { key }, silent: true });
  } catch (error) {
    keyTrouble = error.status === 401 ? "This link was used already, or is too old. Get another one, as below." : error.message;
    return false;
  }
  await entered();
  return true;
}

/** @param {HTMLElement} [why] why somebody who was signed in has to do it again */
export function show(shell, entered, why) {
  const session = store.session ?? {};
  const name = session.station ?? "this station";
  const trouble = h("p", { class: "form-error", role: "alert" }, keyTrouble);
  keyTrouble = null;
  const parts = session.passwordSet ? [h("p", {}, `The console of ${name}.`), why, trouble, form(trouble, entered)]
    : [h("p", {}, `Nobody has set a password for ${name} yet${session.firstPassword?.open ? "" : ", so this page opens only by a link"}.`), why, trouble, first(name, entered)];
  const heading = h("h1", { tabindex: -1 }, session.passwordSet ? "Sign in" : "One step first");
  shell.replaceChildren(h("main", { class: "alone", id: "main", tabindex: -1 },
    h("img", { src: "/assets/favicon.svg", alt: "", width: 48, height: 48 }), heading, parts));
  (shell.querySelector("input") ?? heading).focus();
}

function form(trouble, entered) {
  const password = h("input", { type: "password", id: "password", autocomplete: "current-password", required: true, maxlength: 1024 });
  const submit = h("button", { type: "submit", class: "button primary wide" }, h("span", {}, "Sign in"));
  const shown = h("input", { type: "checkbox", id: "show-password", onchange: () => (password.type = shown.checked ? "text" : "password") });
  return h("form", {
    class: "stack",
    onsubmit: async (event) => {
      event.preventDefault();
      trouble.textContent = "";
      submit.disabled = true;
      try {
        await call("POST", "/session", { body: { password: password.value }, silent: true });
        await entered();
      } catch (error) {
        if (error.status === 429) return wait(error, trouble, submit);
        trouble.textContent = error.status === 401 ? "That isn't the password. Try again." : error.message;
        submit.disabled = false;
        password.select();
        password.focus();
      }
    },
  }, field("Password", password), h("div", { class: "check" }, shown, h("label", { for: "show-password" }, "Show it")), submit,
  h("details", {}, h("summary", {}, "Forgotten?"),
    h("p", {}, "Anyone who can sign in to the Pi itself can set a new one, or get a link that lets them in once:"), commands()));
}

/** Counts down until the next try. */
function wait(error, trouble, submit) {
  let left = Math.max(1, Math.ceil(error.retryAfter || 10));
  const tick = () => {
    if (!submit.isConnected) return;
    submit.firstChild.textContent = left > 0 ? `Wait ${left} s` : "Sign in";
    submit.disabled = left > 0;
    if (left > 0) setTimeout(tick, 1000);
    left -= 1;
  };
  trouble.textContent = `Too many tries. The next one is possible in ${left} s.`;
  tick();
}

function first(name, entered) {
  const way = store.session?.firstPassword;
  const inTerminal = store.session?.commands?.terminal;
  return h("div", { class: "stack" }, way?.open && byButton(name, entered, inTerminal),
    inTerminal && h("p", {}, "The terminal in which the station was started shows a link with a key: “the console is at http://…/#key=…”. It works once."),
    h("p", {}, inTerminal ? "Or in another terminal of that machine, run one of these:"
      : way?.open ? "Or on the Pi, in a terminal or over SSH, run one of these:" : "On the Pi, in a terminal or over SSH, run one of these:"), commands(),
    button("I've done it", () => location.reload(), { kind: "primary wide" }),
    h("p", { class: "hint" }, "A password: this page then asks for it. A link: open it here."),
    way && !way.open && withoutButton(way.why));
}

/** Loaded where it is possible: somebody who has a link doesn't wait for it. */
function byButton(name, entered, inTerminal) {
  const place = h("div", {}, h("p", { class: "hint" }, "Loading…"));
  import("../first-password.js").then(({ firstPassword }) => place.replaceWith(firstPassword(name, entered, inTerminal)),
    () => place.replaceChildren(h("p", { class: "hint" }, "How to do it with the station's button couldn't be loaded. Load the page again.")));
  return place;
}

/** Somebody who has read of the code that a phone shows to the station looks for it: why it isn't there, and what is. */
function withoutButton(why) {
  return h("section", { class: "card stack", "aria-labelledby": "no-button-title" },
    h("h2", { id: "no-button-title" }, "Not with the station's button"),
    h("p", {}, "Elsewhere this page shows a code, and anyone who can press the station's button can set the password from here. This station can't do that: ",
      withCode(clause(why ?? "it doesn't say why"))),
    h("p", {}, "Run one of the commands above instead."));
}

function commands() {
  const { password, link } = store.session?.commands ?? { password: "sudo scanstation console password", link: "sudo scanstation console link" };
  return h("dl", { class: "commands" },
    h("dt", {}, h("code", {}, link)), h("dd", {}, "prints a link that works once"),
    h("dt", {}, h("code", {}, password)), h("dd", {}, "sets a password; from then on the page is reachable in the network"));
}
