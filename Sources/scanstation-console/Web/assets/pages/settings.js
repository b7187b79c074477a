// The configuration that may be changed while the station runs: edited together, looked at, then applied.

import { call, get } from "../api.js";
import { button, field, fill, h, icon, replace, say } from "../dom.js";
import { dismiss, fallenBack, isDismissed, whoseBack, whyBack } from "../fallen-back.js";
import { counted, shortTime } from "../format.js";
import { plain } from "../visible-text.js";
import { forgetEdits, keepEdits, keptEdits } from "../kept-edits.js";
import { worked } from "../notices.js";
import { oneAtATime } from "../one-at-a-time.js";
import { listen, loadState, may, store } from "../store.js";
import { configuration, originCommand, restartSteps } from "../service.js";
import { focusTrial, placeTrialBar } from "../trial-bar.js";
import { stackingTable } from "../table.js";
import { sentence } from "../words.js";
import { SettingControl, written } from "../setting-control.js";
import { fitting, placesFor, searchWords } from "../setting-words.js";

const titles = {
  capture: "Camera", torch: "Torch", trigger: "Trigger", reading: "Reading", confirmation: "Confirmation", feedback: "Lights and sounds",
  log: "Log", host: "The host's answer", payloads: "Meaning of texts",
  indicators: "Lights", buzzer: "Buzzer",
};

/** @param {{rest: string[]}} where `changes` leads to the log of who changed what */
export function show(main, { rest: [part] }) {
  placeTrialBar();
  const body = h("div", { class: "stack" }, h("p", { class: "empty" }, "Loading…"));
  main.append(h("h1", { tabindex: -1 }, "Settings"), h("p", { class: "lead" }, "What can be changed while the station runs."), body);
  if (!may("manage") && !may("operate")) {
    body.replaceChildren(h("p", { class: "empty" }, "This sign-in may look, not change settings. Sign in with one that has the scope “manage”."),
      elsewhere().element);
    return () => {};
  }
  const form = new SettingsForm(body, part === "changes");
  form.load();
  return () => form.leave();
}

class SettingsForm {
  constructor(body, leadsToLog) {
    this.body = body;
    this.leadsToLog = leadsToLog;
    this.revision = null;
    /** @type {Map<string, SettingControl>} */
    this.controls = new Map();
    this.search = h("input", { type: "search", id: "settings-search", autocomplete: "off", oninput: () => this.filter() });
    this.found = h("p", { class: "list-status", role: "status" });
    this.others = h("div", { class: "stack" });
    this.count = h("p", { role: "status" });
    this.review = button("Look and apply", () => this.open(), { kind: "primary" });
    this.discard = button("Discard", () => this.forget(), { kind: "quiet" });
    this.bar = h("div", { class: "apply-bar", role: "region", "aria-label": "Changes", hidden: true }, this.count,
      h("div", { class: "row" }, this.discard, this.review));
    // Made once: whatever the station says later, what somebody opened, marked or is about to press stays.
    this.notes = h("div", { class: "stack", hidden: true });
    this.shownBack = null;
    this.isDrawn = false;
    this.back = h("section", { class: "trouble warn fallen-back", "aria-label": "A change went back by itself", hidden: true });
    this.log = stackingTable("Who changed what", ["When", "Who", "Setting", "Before", "Then"], []);
    this.logNote = h("p", { class: "hint" });
    this.history = h("details", { class: "card history" }, h("summary", {}, "Who changed what"), h("div", {}, this.log.element, this.logNote));
    this.elsewhere = elsewhere();
    this.failed = h("p", {});
    this.failure = h("div", { class: "empty" }, this.failed, button("Try again", () => this.load(), { kind: "quiet" }));
    /** What the station has: an older answer never comes after a newer one. */
    this.ask = oneAtATime(() => get("/settings"));
    this.warn = (event) => this.changes().length && event.preventDefault();
    addEventListener("beforeunload", this.warn);
    // After a station that was away, what couldn't be loaded is.
    this.endListening = listen((what) => {
      if (what === "state") this.elsewhere.draw();
      if (what === "state" && !this.revision && store.station && !store.away) this.load();
      // At once: the question that comes is where the note lies.
      if (this.back && store.station?.settings?.trial) this.drawBack({ trial: true });
      // In the dialog, what was compared stays, and the station says who was faster.
      if (!this.revision || this.dialog?.open) return;
      const now = store.away ? null : store.station?.settings?.revision;
      // One that ended while the station was away is over without a word.
      const isTrial = Boolean(store.station?.settings?.trial);
      const isOver = what === "state" && now && this.hadTrial && !isTrial;
      if (now) this.hadTrial = isTrial;
      const isOther = what === "state" && now && now !== this.revision;
      // Kept, taken back, or somebody else's change: what is edited here and not applied stays.
      if (what === "settings" || isOther || isOver) this.renew().then(() => this.drawBar(), () => {});
    });
  }

  leave() {
    this.endListening();
    removeEventListener("beforeunload", this.warn);
    this.dialog?.remove();
    // Somebody who looks at another page meanwhile, or was signed out without wanting it, finds everything again.
    keepEdits(this.changes());
  }

  async load() {
    try {
      const settings = await this.ask();
      if (this.revision) this.follow(settings);
      else this.take(settings);
    } catch (error) {
      say(this.failed, sentence(error.message));
      if (!this.failure.isConnected && !this.revision) this.body.replaceChildren(this.failure, this.elsewhere.element);
    }
  }

  take(settings) {
    this.revision = settings.revision;
    // What is set elsewhere may be open: somebody who reads it while the station comes back goes on reading.
    const rest = this.elsewhere.element;
    const isRead = rest.isConnected && (rest.open || rest.contains(document.activeElement));
    const hadFocus = this.failure.contains(document.activeElement);
    const { top } = rest.getBoundingClientRect();
    for (const other of [...this.body.children]) if (other !== rest) other.remove();
    if (!rest.isConnected) this.body.append(rest);
    rest.before(this.back, this.notes, h("div", { class: "settings-search" },
      field("Find a setting", this.search, "By any word for it: light, sharp, twice, beep…"), this.found, this.others), this.history);
    rest.after(this.bar);
    this.drawSections(settings);
    this.drawRecord(settings);
    this.restore();
    this.drawBar();
    this.isDrawn = true;
    if (isRead) scrollBy(0, rest.getBoundingClientRect().top - top);
    if (this.leadsToLog) this.showLog();
    else if (hadFocus) document.querySelector("#main h1")?.focus({ preventScroll: true });
  }

  drawSections(settings) {
    const sections = new Map();
    for (const key of settings.keys) {
      const control = this.controls.get(key.key) ?? new SettingControl(key, () => this.drawBar());
      this.controls.set(key.key, control);
      const section = key.section ?? key.key.split(".")[0];
      if (!sections.has(section)) sections.set(section, []);
      sections.get(section).push(control);
    }
    for (const section of this.sections ?? []) section.element.remove();
    this.sections = [...sections].map(([section, controls]) => ({
      controls, name: section,
      element: h("section", { class: "card settings-section", "aria-labelledby": `section-${section}` },
        h("h2", { id: `section-${section}` }, titles[section] ?? section), controls.map((control) => control.element)),
    }));
    this.history.before(...this.sections.map((section) => section.element));
  }

  /** A station of another version has other keys; what is typed for those that both have stays. */
  adopt(settings) {
    const names = new Set(settings.keys.map(({ key }) => key));
    if (names.size === this.controls.size && [...names].every((name) => this.controls.has(name))) return;
    for (const name of this.controls.keys()) if (!names.has(name)) this.controls.delete(name);
    const focused = document.activeElement;
    this.drawSections(settings);
    this.filter();
    if (focused?.isConnected) focused.focus({ preventScroll: true });
  }

  /** A person who asked for the log has it open, and the focus there, unless they went on meanwhile. */
  showLog() {
    this.leadsToLog = false;
    this.history.open = true;
    if (![null, document.body, document.querySelector("#main h1")].includes(document.activeElement)) return;
    this.history.scrollIntoView({ block: "start" });
    this.history.querySelector("summary").focus({ preventScroll: true });
  }

  /** What wasn't applied when the page was left. */
  restore() {
    const kept = Object.entries(keptEdits()).filter(([key]) => this.controls.has(key));
    forgetEdits();
    for (const [key, value] of kept) {
      this.controls.get(key).put(value);
      this.controls.get(key).mark(() => {});
    }
    if (this.changes().length) worked("settings", "What you had changed and not applied is here again");
  }

  /** What the station has to say of changes, and those that were kept, newest first. */
  drawRecord(settings) {
    this.drawBack(settings);
    // The note above says it, and can be put away; that of the station lasts as long as the station.
    const notes = (settings.notes ?? []).filter((note) => this.back.hidden || !note.includes("was on trial when the station ended"));
    this.notes.hidden = notes.length === 0;
    replace(this.notes, notes.map((note) => h("p", { class: "trouble warn" }, icon("alert"), h("span", {}, sentence(plain(note, 1000))))));
    const changes = settings.changes ?? [];
    this.log.element.hidden = !changes.length;
    this.log.fill(changes.map((change) => [shortTime(change.time), plain(change.author, 80), { head: h("code", {}, change.key) },
      { look: "before", what: change.from || "nothing" },
      { look: "after", what: [change.to, change.back && h("span", { class: "hint" }, ` went back: ${whyBack(change)}`)] }]));
    fill(this.logNote, changes.length ? ["These changes lie over ", h("code", {}, configuration().file), ", in ", h("code", {}, settings.file ?? "console.yaml"), ". ",
      h("code", {}, originCommand()), " says where each value is from."] : "Nothing was changed here so far.");
  }

  /** A change that nobody kept: it stays until somebody puts it away, or the next change. */
  drawBack(settings) {
    const back = settings.trial ? [] : fallenBack(settings);
    const known = back.filter((change) => this.controls.has(change.key));
    const isShown = back.length > 0 && !isDismissed(back);
    // The same note is left alone: somebody may be about to press it.
    const now = isShown ? JSON.stringify(back) : "";
    if (now === this.shownBack) return;
    this.shownBack = now;
    const hadFocus = this.back.contains(document.activeElement);
    this.back.hidden = !isShown;
    // It comes while somebody reads or types here: then it lies over the page's lower end, so that nothing moves.
    this.back.classList.toggle("fresh", this.isDrawn);
    if (isShown) {
      const again = button("Try again", () => {
        for (const change of known) this.controls.get(change.key).put(change.to);
        for (const change of known) this.controls.get(change.key).mark(() => {});
        this.drawBar();
        this.open();
      }, { kind: "quiet small" });
      const away = button("Close", () => {
        dismiss(back);
        this.drawBack(settings);
      }, { kind: "quiet small" });
      away.setAttribute("aria-label", "Close the note");
      replace(this.back, icon("alert"), h("div", { class: "stack tight" }, h("p", {}, `${whoseBack(back[0])} The settings are what they were before.`),
        h("ul", {}, back.map((change) => h("li", {}, h("code", {}, change.key), ` ${change.from || "nothing"} → ${change.to}`))),
        h("div", { class: "row" }, known.length > 0 && again, away)));
    } else if (hadFocus) {
      document.querySelector("#main h1")?.focus({ preventScroll: true });
    }
  }

  /** By ordinary words, too. If nothing has all of them, what has most is better than nothing. */
  filter() {
    const words = searchWords(this.search.value);
    const all = this.sections.flatMap((section) => section.controls.map((control) => ({ control, section,
      fits: fitting(control.key, `${titles[section.name] ?? section.name} ${control.words}`, words) })));
    const most = Math.max(...all.map((one) => one.fits), 0);
    const isShown = (one) => !words.length || (most > 0 && one.fits === most);
    for (const one of all) one.control.element.hidden = !isShown(one);
    for (const section of this.sections) section.element.hidden = !all.some((one) => one.section === section && isShown(one));
    const shown = all.filter(isShown).length;
    const elsewhere = words.length ? placesFor(words) : [];
    say(this.found, !words.length ? "" : shown ? `${counted(shown, "setting")}${most < words.length ? ", with some of these words" : ""}`
      : elsewhere.length ? "No setting has these words, but this one does, and is set elsewhere:" : "No setting has these words.");
    // What is set here comes first.
    if (shown) this.history.before(this.others);
    else this.found.after(this.others);
    this.others.hidden = !words.length;
    replace(this.others, words.length && !shown && !elsewhere.length && h("p", { class: "hint" },
      "Try another word for it, such as light, sharp, twice or time. Or it is one that can't be set here: see below."),
    elsewhere.length > 0 && h("div", { class: "card" }, shown > 0 && h("h2", {}, "Not set on this page"), placeList(elsewhere)),
    words.length > 0 && !shown && h("div", { class: "row" }, button("Show all settings", () => {
      this.search.value = "";
      this.filter();
      this.search.focus();
    }, { kind: "quiet" })));
    const other = document.querySelector(".elsewhere");
    if (other && words.length && !shown) other.open = true;
  }

  changes() {
    return [...this.controls.values()].filter((control) => control.isChanged);
  }

  drawBar() {
    const changes = this.changes();
    const faults = changes.filter((control) => control.fault).length;
    this.bar.hidden = changes.length === 0;
    this.count.textContent = changes.length ? `${counted(changes.length, "change")}${faults ? `, ${faults} can't be right` : ""}` : "";
    this.review.disabled = faults > 0;
  }

  forget() {
    for (const control of this.changes()) control.revert();
    this.drawBar();
    this.search.focus();
  }

  /** What would change, side by side, and the last chance to think again. */
  open() {
    const trouble = h("div", { class: "form-error", role: "alert" });
    const rows = () => this.changes().map((control) => [{ head: h("code", {}, control.key.key) },
      { look: "before", what: written(control.key.value) || "nothing" }, { look: "after", what: written(control.value) || "nothing" }]);
    const table = stackingTable("Changes", ["Setting", "Now", "Then"], rows());
    const draw = () => table.fill(rows());
    const apply = button("Apply", () => this.apply(dialog, apply, trouble, draw), { kind: "primary" });
    const dialog = h("dialog", { "aria-labelledby": "apply-title", onclose: () => dialog.remove() },
      h("h2", { id: "apply-title" }, "Apply these changes?"),
      table.element,
      h("p", { class: "hint" }, "They are on trial for 60 seconds: keep them, or the station goes back to what it has now. station.yaml stays as it is."), trouble,
      h("div", { class: "row end" }, button("Back", () => dialog.close(), { kind: "quiet" }), apply));
    this.dialog = dialog;
    document.body.append(dialog);
    dialog.showModal();
    apply.focus();
  }

  async apply(dialog, apply, trouble, draw) {
    const changes = this.changes();
    apply.disabled = true;
    trouble.textContent = "";
    try {
      const answer = await call("PATCH", "/settings",
        { headers: { "If-Match": this.revision },
        body: { values: Object.fromEntries(changes.map((control) => [control.key.key, control.value])) } });
      this.follow(answer);
      // As the station has them: it may write what was typed in another way.
      for (const control of changes) control.revert();
      dialog.close();
      this.drawBar();
      await loadState();
      focusTrial();
    } catch (error) {
      if (error.status === 412) await this.overtaken(changes, trouble, draw);
      else {
        trouble.textContent = error.message;
        changes.find((control) => error.message.includes(control.key.key))?.tell(error.message);
      }
      apply.disabled = this.changes().length === 0;
    }
  }

  /** What runs now, asked for. */
  async renew() {
    return this.follow(await this.ask());
  }

  /** Takes what runs now under what is typed, and gives the keys that somebody else changed. */
  follow(settings) {
    this.revision = settings.revision;
    this.adopt(settings);
    this.drawRecord(settings);
    const theirs = [];
    for (const key of settings.keys) {
      const control = this.controls.get(key.key);
      if (!control) continue;
      if (written(control.key.value) !== written(key.value)) theirs.push(key.key);
      control.rebase(key);
    }
    return theirs;
  }

  async overtaken(changes, trouble, draw) {
    try {
      const theirs = await this.renew();
      const both = changes.filter((control) => theirs.includes(control.key.key)).map((control) => control.key.key);
      const which = theirs.length ? `: ${theirs.join(", ")}` : "";
      const same = both.length ? "You both changed the same: look again at what is there now." : "They don't touch each other.";
      trouble.textContent = `Somebody else changed settings meanwhile${which}. Yours aren't applied yet. ${same} Apply once more, or go back.`;
      draw();
      this.drawBar();
    } catch (error) {
      trouble.textContent = error.message;
    }
  }
}

/** What this page can't set, and where it is. */
function elsewhere() {
  const steps = h("ol", { class: "steps" });
  // How the station was started may not be known yet.
  const draw = () => fill(steps, restartSteps().map((step) => h("li", {}, step)));
  draw();
  const element = h("details", { class: "card elsewhere" }, h("summary", {}, "What can't be set here, and where it is"),
    h("p", {}, "A page in a network must not choose programs, files, hosts or what opens a door. Anyone who may edit the file on the Pi can:"),
    placeList(placesFor([])), h("p", {}, "After editing station.yaml:"), steps);
  return { element, draw };
}

const placeList = (places) => h("dl", { class: "facts places" }, places.map(({ title, where, link }) => [h("dt", {}, title),
  h("dd", {}, `${where}. `, link && h("a", { href: link[0] }, link[1]))]));
