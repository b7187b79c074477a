// A change of settings that is on trial: on every page, for everybody who may manage, until it is kept, taken back, or its time is up.

import { call, get } from "./api.js";
import { announce, announceNow } from "./announce.js";
import { button, h, replace, say } from "./dom.js";
import { fallenBack, whoseBack } from "./fallen-back.js";
import { counted } from "./format.js";
import { clear, failed, worked } from "./notices.js";
import { listen, loadState, may, store } from "./store.js";
import { plain } from "./visible-text.js";
import { ended } from "./words.js";

const tickMs = 500;
/** The station's word on how a trial ended comes within this time, if it comes. */
const wordMs = 1500;
/** When the time that is left is said once more. */
const warnAt = 15;
const longest = 80;
/** The bar comes where somebody may be about to press something else, or holds a key down: what is pressed before they can have seen it isn't meant for it. */
const seenMs = 500;
/** Between the bar and what sticks above it; px. */
const gap = 12;

let bar = null;

/** Puts the bar below the page, unless it is there; it shows and hides itself. One for the whole life of the page, since it listens. */
export function placeTrialBar() {
  bar ??= new TrialBar();
  if (bar.element.isConnected) return;
  document.querySelector(".app > main")?.after(bar.element);
  bar.draw();
}

class TrialBar {
  constructor() {
    this.what = h("p", { class: "trial-what" });
    // The seconds are for the eyes: spoken each second they would hide everything else.
    this.left = h("p", { class: "trial-left", "aria-hidden": "true" });
    this.list = h("ul", { class: "trial-values" });
    this.keep = button("Keep", () => this.end("keep"), { kind: "primary" });
    this.back = button("Take back", () => this.end("takeBack"), { kind: "quiet" });
    this.actions = h("div", { class: "row" }, this.back, this.keep);
    this.element = h("section", { class: "trial-bar", "aria-label": "Change on trial", hidden: true }, h("div", {}, this.what, this.list, this.left),
      this.actions);
    // It lies over the page's lower end, so that nothing moves under a finger when it comes; what sticks there, too, goes above it.
    new ResizeObserver(() => this.measure()).observe(this.element);
    listen((what, detail) => {
      if (what === "state" || what === "session") this.draw();
      if (what === "settings") this.heard(detail);
    });
  }

  draw() {
    if (!this.element.isConnected) return;
    const trial = store.away || store.lost ? null : store.station?.settings?.trial ?? null;
    if (!trial) {
      this.hide();
      if (!store.away && !store.lost) this.wonder();
      return;
    }
    this.open = trial;
    // The same trial, told once more, has no other end because an answer took its time.
    const until = performance.now() + trial.leftMs;
    const id = JSON.stringify([trial.values, trial.author]);
    if (id !== this.id || Math.abs(until - this.until) > 3000) this.until = until;
    const isNew = id !== this.id;
    this.id = id;
    const names = Object.keys(trial.values).sort();
    say(this.what, `${counted(names.length, "setting")} on trial, changed by ${ended(plain(trial.author, longest))}`);
    if (isNew) {
      replace(this.list, names.map((name) => h("li", {}, h("code", {}, name), ` ${trial.before?.[name] ?? "nothing"} → `,
        h("strong", {}, trial.values[name]))));
    }
    this.actions.hidden = !may("manage");
    this.element.hidden = false;
    if (!this.timer) this.timer = setInterval(() => this.tick(), tickMs);
    if (isNew) {
      this.isWarned = false;
      this.arm();
      clear("trial");
      const whatToDo = may("manage") ? "Keep it, or it goes back by itself." : "It goes back by itself unless it is kept.";
      announce(`${counted(names.length, "setting")} on trial for ${this.seconds} seconds. ${whatToDo}`);
    }
    this.tick();
    // Before the next press, not after the next frame.
    this.measure();
  }

  /** `Keep` and `Take back` are for those who have seen what they are about. */
  arm() {
    this.isArmed = false;
    for (const one of [this.keep, this.back]) one.setAttribute("aria-disabled", "true");
    clearTimeout(this.arming);
    this.arming = setTimeout(() => {
      this.isArmed = true;
      for (const one of [this.keep, this.back]) one.removeAttribute("aria-disabled");
    }, seenMs);
  }

  measure() {
    const height = this.element.offsetHeight;
    document.documentElement.style.setProperty("--trial", `${height && height + gap}px`);
  }

  get seconds() {
    return Math.max(0, Math.ceil((this.until - performance.now()) / 1000));
  }

  tick() {
    // Signed out.
    if (!this.element.isConnected) return this.hide();
    const { seconds } = this;
    say(this.left, seconds ? `Goes back by itself in ${seconds} s.` : "Goes back now.");
    if (seconds <= warnAt && !this.isWarned) {
      this.isWarned = true;
      announceNow(`${seconds} seconds left until the settings go back.`);
    }
    // The station tells that it is over; if that word was lost, it is asked.
    if (seconds === 0) loadState();
  }

  hide() {
    clearInterval(this.timer);
    this.timer = 0;
    this.id = null;
    if (this.element.hidden) return;
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = true;
    this.measure();
    if (hadFocus) document.querySelector("#main h1")?.focus({ preventScroll: true });
  }

  heard(event) {
    if (event.state === "onTrial") return;
    this.open = null;
    // Before the message that says so, which would stand above it and then drop.
    this.hide();
    if (event.state === "kept") worked("settings", "Kept: it holds at the next start, too.");
    else if (event.reason === "timeout") fellBack("Nobody kept the change: the settings are what they were.");
    else worked("settings", "Taken back: the settings are what they were.");
  }

  /** A trial is over and nobody said how: this device slept, or the station was away. The log of changes knows. */
  async wonder() {
    const trial = this.open;
    if (!trial || this.isWondering) return;
    this.isWondering = true;
    await new Promise((resume) => setTimeout(resume, wordMs));
    let back = [];
    try {
      if (this.open === trial) back = fallenBack(await get("/settings"));
    } catch {
      // Then what is known has to do.
    }
    this.isWondering = false;
    // Told meanwhile, or another one has begun.
    if (this.open !== trial || !this.element.isConnected) return;
    this.open = null;
    if (back.some((change) => change.key in trial.values)) fellBack(whoseBack(back[0]));
    else worked("settings", "No change is on trial any more.");
  }

  async end(how) {
    // Not disabled meanwhile: a button that is loses the focus.
    if (this.isBusy || !this.isArmed) return;
    this.isBusy = true;
    try {
      await call("POST", `/settings/${how}`);
    } catch (error) {
      failed("trial", error);
    } finally {
      this.isBusy = false;
      await loadState();
    }
  }
}

/** Somebody who looked away for a minute must still find it: it stays until it is closed, or the next change. The page Settings has a note of its own. */
function fellBack(text) {
  if (location.hash.startsWith("#/settings")) return announce(text);
  failed("trial", `${text} Settings shows which, and lets you try again.`);
}

/** After a change: to the question that it leaves. */
export function focusTrial() {
  document.querySelector(".trial-bar:not([hidden]) .primary")?.focus({ preventScroll: true });
}
