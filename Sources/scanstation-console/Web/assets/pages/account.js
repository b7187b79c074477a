// This sign-in: the password, tokens for programs, signing out.

import { call, get } from "../api.js";
import { button, field, fill, fresh, h } from "../dom.js";
import { longTime } from "../format.js";
import { forgetEdits } from "../kept-edits.js";
import { attempt, worked } from "../notices.js";
import { oneAtATime } from "../one-at-a-time.js";
import { listen, loadSession, loadState, may, store } from "../store.js";

const shortest = 8;
const scopes = [["view", "see state and scans"], ["preview", "see the picture"], ["operate", "trigger, torch, pause…"],
  ["manage", "settings, passwords, secrets"]];

export function show(main) {
  const addresses = addressCard();
  main.append(h("h1", { tabindex: -1 }, "Sign-in and tokens"), h("div", { class: "stack narrow" },
    may("manage") ? passwordCard() : null, addresses.card, may("manage") ? tokensCard() : h("p", { class: "empty" },
      "This sign-in may not manage passwords and tokens."), leaveCard()));
  return addresses.end;
}

/** Where phones find this page; the station says so a moment after a password is set. */
function addressCard() {
  const list = h("ul", { class: "addresses" });
  const card = h("section", { class: "card", "aria-labelledby": "addresses-title" }, h("h2", { id: "addresses-title" }, "This page in the network"),
    h("p", { class: "hint" }, "A phone in the same network opens one of these; names need mDNS, numbers always work."), list);
  const draw = () => {
    const known = (store.station?.console?.addresses ?? []).filter((address) => !address.startsWith("http://127."));
    card.hidden = !known.length;
    fill(list, known.map((address) => h("li", {}, h("a", { href: address }, address))));
  };
  draw();
  return { card, end: listen((what) => what === "state" && draw()) };
}

function passwordCard() {
  const isFirst = !store.session.passwordSet;
  const old = h("input", { type: "password", autocomplete: "current-password", required: true, maxlength: 1024 });
  const next = h("input", { type: "password", autocomplete: "new-password", required: true, minlength: shortest, maxlength: 1024 });
  const again = h("input", { type: "password", autocomplete: "new-password", required: true, maxlength: 1024 });
  const trouble = h("p", { class: "form-error", role: "alert" });
  const form = h("form", {
    class: "stack",
    onsubmit: async (event) => {
      event.preventDefault();
      trouble.textContent = "";
      if (next.value !== again.value) {
        trouble.textContent = "The two new passwords differ. Type them again.";
        again.focus();
        return;
      }
      try {
        await call("PUT", "/password", { body: { password: next.value, ...(isFirst ? {} : { old: old.value }) }, silent: true });
        form.reset();
        worked("password", isFirst ? "The password is set. The page can be reached in the network now: its address is below." : "The password is changed.");
        await loadSession();
        loadState();
        if (isFirst) form.closest("section").replaceWith(passwordCard());
      } catch (error) {
        trouble.textContent = error.status === 401 || error.code === "wrongPassword" ? "The old password isn't right." : error.message;
      }
    },
  }, isFirst ? null : field("Old password", old), field("New password", next, `At least ${shortest} characters; a few words are easier to remember than signs.`), field("New password once more", again), trouble,
  h("button", { type: "submit", class: "button primary" }, h("span", {}, isFirst ? "Set the password" : "Change the password")));
  return h("section", { class: "card", "aria-labelledby": "password-title" },
    h("h2", { id: "password-title" }, isFirst ? "Set a password" : "Password"),
    isFirst && h("p", {}, "Without one, this page opens only on the station itself and by links that work once."), form);
}

function tokensCard() {
  const list = h("ul", { class: "tokens" }, h("li", { class: "hint" }, "Loading…"));
  const load = oneAtATime(async () => {
    try {
      const answer = await get("/tokens");
      const tokens = answer.tokens ?? answer;
      list.replaceChildren(...(tokens.length ? tokens.map((token) => item(token, load)) : [h("li", { class: "hint" },
        "None. A token lets a program use the station as this page does.")]));
    } catch (error) {
      list.replaceChildren(h("li", { class: "form-error" }, error.message));
    }
  });
  load();
  const made = button("New token", () => create(load), { kind: "quiet", icon: "key" });
  made.id = "new-token";
  return h("section", { class: "card", "aria-labelledby": "tokens-title" }, h("h2", { id: "tokens-title" }, "Tokens"), list,
    made);
}

function item(token, load) {
  const id = token.id ?? token.name;
  return h("li", { class: "token" },
    h("div", {}, h("strong", {}, token.name),
    h("p", { class: "hint" }, `${(token.scopes ?? []).join(", ")} · ${token.expires ? `until ${longTime(token.expires)}` : "does not expire"}`)),
    button("Withdraw", () => ask(`Withdraw the token “${token.name}”?`, "Programs that use it are refused at once.", "Withdraw",
      () => attempt("token", async () => {
      await call("DELETE", `/tokens/${encodeURIComponent(id)}`);
      await load();
      document.getElementById("new-token").focus();
    }, `The token ${token.name} is withdrawn.`)), { kind: "quiet small" }));
}

function create(load) {
  const name = h("input", { type: "text", required: true, maxlength: 64, autocomplete: "off" });
  const boxes = scopes.map(([scope, text],
    index) => ({ scope, text, input: h("input", { type: "checkbox", id: fresh("scope"), checked: index === 0 }) }));
  const days = h("select", {}, [["30", "30 days"], ["365", "a year"], ["", "never"]].map(([value, text]) => h("option", { value }, text)));
  const trouble = h("p", { class: "form-error", role: "alert" });
  const body = h("form", {
    class: "stack",
    onsubmit: async (event) => {
      event.preventDefault();
      const chosen = boxes.filter((box) => box.input.checked).map((box) => box.scope);
      if (!chosen.length) {
        trouble.textContent = "Choose what it may do.";
        return;
      }
      try {
        const expires = days.value ? new Date(Date.now() + Number(days.value) * 86_400_000).toISOString() : null;
        const made = await call("POST", "/tokens", { body: { name: name.value.trim(), scopes: chosen, expires } });
        load();
        const shown = h("input", { type: "text", readonly: true, class: "code", onfocus: () => shown.select(), value: made.token });
        dialog.replaceChildren(h("h2", {}, "Copy it now"), h("p", {}, "It is shown this once. Keep it as you keep a password."),
          field("Token", shown), h("div", { class: "row end" }, button("Done", () => dialog.close(), { kind: "primary" })));
        shown.focus();
      } catch (error) {
        trouble.textContent = error.message;
      }
    },
  }, field("Name", name, "What it is for: “stock program”."),
  h("fieldset", { class: "checks" }, h("legend", {}, "It may"),
    boxes.map((box) => h("div", { class: "check" }, box.input, h("label", { for: box.input.id }, `${box.scope}: ${box.text}`)))),
  field("It ends after", days), trouble,
  h("div", { class: "row end" }, button("Back", () => dialog.close(), { kind: "quiet" }),
    h("button", { type: "submit", class: "button primary" }, h("span", {}, "Make the token"))));
  const dialog = h("dialog", { "aria-label": "New token", onclose: () => dialog.remove() }, h("h2", {}, "New token"), body);
  document.body.append(dialog);
  dialog.showModal();
  name.focus();
}

function leaveCard() {
  const out = (path, text) => attempt("sign out", async () => {
    try {
      await call("DELETE", path);
    } catch (error) {
      // Signed out already, by somebody else: that is what they wanted.
      if (error.status === 401) forgetEdits();
      throw error;
    }
    // The next one who signs in in this tab may be another person.
    forgetEdits();
    worked("sign out", text);
    location.hash = "";
    location.reload();
  });
  return h("section", { class: "card", "aria-labelledby": "leave-title" }, h("h2", { id: "leave-title" }, "Leave"), h("div", { class: "row" },
    button("Sign out", () => out("/session", "Signed out."), { kind: "quiet", icon: "leave" }),
    button("Sign out everywhere",
      () => ask("Sign out everywhere?", "Every browser has to sign in again, this one too. Tokens stay.", "Sign out everywhere",
      () => out("/sessions", "Signed out everywhere.")), { kind: "quiet" })));
}

/** Asks before something that can't be undone. */
function ask(title, text, yes, action) {
  const dialog = h("dialog", { "aria-labelledby": "ask-title", role: "alertdialog", onclose: () => dialog.remove() },
    h("h2", { id: "ask-title" }, title), h("p", {}, text),
    h("div", { class: "row end" }, button("Back", () => dialog.close(), { kind: "quiet" }), button(yes, () => {
      dialog.close();
      action();
    }, { kind: "danger" })));
  document.body.append(dialog);
  dialog.showModal();
}
