// The shell: who is signed in, which page is shown, and how the station is in one line.

import { setTrouble } from "./api.js";
import { announce, spoken } from "./announce.js";
import { beep, beeps } from "./beep.js";
import { h, icon, loadIcons, say } from "./dom.js";
import { startEvents, stopEvents } from "./events.js";
import { counted } from "./format.js";
import { clearFailures, failed, worked } from "./notices.js";
import { forget, listen, loadScans, loadSession, loadState, store } from "./store.js";
import { cameraTrouble, hasSessions, journalTrouble, rests, sentence } from "./words.js";

const pages = [
  { name: "live", title: "Live", icon: "live" },
  { name: "aim", title: "Aim", icon: "aim" },
  { name: "scans", title: "Scans", icon: "scans" },
  { name: "outputs", title: "Outputs", icon: "outputs" },
  { name: "settings", title: "Settings", icon: "settings" },
  { name: "health", title: "Health", icon: "health" },
];
const others = [{ name: "account", title: "Sign-in and tokens" }];
const againMs = 3000;
const missedMs = 60_000;

const shell = document.getElementById("shell");
let main = null;
let strip = null;
let leave = null;
let turn = 0;

start();

async function start() {
  document.getElementById("skip").addEventListener("click", (event) => {
    event.preventDefault();
    (document.querySelector("#main h1") ?? document.getElementById("main"))?.focus();
  });
  setTrouble(trouble);
  listen(heard);
  addEventListener("hashchange", () => {
    // A link that was pasted into this very tab: the browser doesn't load the page again for it.
    const key = takeKey();
    if (key && !main) begin(key);
    else route();
  });
  loadIcons();
  await begin(takeKey());
}

/** A link's one-time key, which is used up before anything else, and taken out of the address and the history. */
function takeKey() {
  const key = new URLSearchParams(location.hash.slice(1)).get("key");
  if (key) history.replaceState(null, "", "/");
  return key;
}

/** Shows what this browser may see. */
async function begin(key) {
  try {
    await loadSession();
  } catch (error) {
    showMessage("The console doesn't answer", error.message);
    setTimeout(() => begin(key), againMs);
    return;
  }
  if (key && !store.session.signedIn) {
    const { redeem } = await import("./pages/sign-in.js");
    if (!(await redeem(key, entered))) return signIn();
    return;
  }
  if (!store.session.signedIn) return signIn();
  enter();
}

/** After a sign-in that worked. */
async function entered() {
  await loadSession();
  enter();
}

function enter() {
  frame();
  startEvents();
  loadState();
  loadScans().catch(() => {});
  route();
}

/** @param {ApiError} [ended] what ended the sign-in that there was */
async function signIn(ended) {
  leave?.();
  leave = null;
  stopEvents();
  forget();
  main = null;
  const [{ show }, why] = await Promise.all([import("./pages/sign-in.js"), ended && import("./signed-out.js"), furtherStyles()]);
  document.title = "Sign in · ScanStation";
  show(shell, entered, why?.signedOut(ended));
}

/** A request failed in a way that isn't the asking page's business alone. */
function trouble(error) {
  if (error.status === 401 && main) {
    store.session = { ...store.session, signedIn: false };
    loadSession().catch(() => {}).finally(() => signIn(error));
  } else if (error.status === 0) {
    store.lost = error.message;
    drawStrip();
  }
}

function showMessage(title, text) {
  shell.replaceChildren(h("main", { class: "alone", id: "main", tabindex: -1 }, h("h1", { tabindex: -1 }, title), h("p", {}, text)));
}

// The frame around the pages

function frame() {
  main = h("main", { id: "main", tabindex: -1 });
  strip = {
    text: h("strong", {}), detail: h("span", { class: "strip-detail" }), viewers: h("span", { class: "viewers" }),
    row: h("div", { class: "strip", role: "status" }),
  };
  strip.row.append(h("span", { class: "dot" }), h("p", {}, strip.text, " ", strip.detail),
    h("a", { href: "#/health", class: "strip-link" }, "Details"));
  const links = pages.map((page) => h("a", { href: `#/${page.name}`, "data-page": page.name }, icon(page.icon), h("span", {}, page.title)));
  shell.replaceChildren(h("div", { class: "app" },
    h("header", { class: "top" },
      h("a", { href: "#/live", class: "brand" }, h("img", { src: "/assets/favicon.svg", alt: "", width: 28, height: 28 }),
        h("span", { id: "station-name" }, store.session.station ?? "ScanStation")),
      strip.viewers,
      h("a", { href: "#/account", class: "account", "data-page": "account", "aria-label": "Sign-in and tokens" }, icon("key"))),
    strip.row,
    h("nav", { class: "tabs", "aria-label": "Pages" }, h("ul", {}, links.map((link) => h("li", {}, link)))),
    main));
  drawStrip();
}

async function route() {
  if (!main) return;
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, ...rest] = path.split("/");
  const page = [...pages, ...others].find((one) => one.name === name) ?? pages[0];
  turn += 1;
  const mine = turn;
  let module;
  try {
    [module] = await Promise.all([import(`./pages/${page.name}.js`), page === pages[0] || furtherStyles()]);
  } catch {
    showPageMessage("This page couldn't be loaded", "The console didn't answer. Load the page again.");
    return;
  }
  // Somebody went on while it was loading.
  if (mine !== turn || !main) return;
  leave?.();
  // What failed on a page was that page's.
  clearFailures();
  const isFirst = leave === null;
  for (const link of shell.querySelectorAll("[data-page]")) {
    if (link.dataset.page === page.name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${page.title} · ${store.session.station ?? "ScanStation"}`;
  main.className = `page-${page.name}`;
  main.replaceChildren();
  leave = module.show(main, { rest, query: new URLSearchParams(query) }) ?? (() => {});
  scrollTo(0, 0);
  if (!isFirst) (main.querySelector("h1") ?? main).focus({ preventScroll: true });
}

let styles = null;

/** What the first page doesn't need: it is to be there soon, on a phone too. */
function furtherStyles() {
  styles ??= new Promise((done) => {
    document.head.append(h("link", { rel: "stylesheet", href: "/assets/further.css", onload: done, onerror: done }));
  });
  return styles;
}

/** What the console was when this page was loaded. */
let version = null;

/** The console was replaced under the page. */
async function compareVersion() {
  const now = store.console.version;
  version ||= now;
  if (now === version) return;
  const { sayUpdated } = await import("./updated.js").catch(() => ({}));
  sayUpdated?.();
}

/** Settings are rarely on trial: the bar is loaded when they are. */
async function showTrial() {
  if (!store.station?.settings?.trial) return;
  const { placeTrialBar } = await import("./trial-bar.js").catch(() => ({}));
  placeTrialBar?.();
}

function showPageMessage(title, text) {
  main.replaceChildren(h("h1", { tabindex: -1 }, title), h("p", {}, text));
}

// What is heard from the station, whatever page is shown

function heard(what, detail) {
  if (!main) return;
  if (what === "scans" && detail?.scan) {
    announce(spoken(detail.scan));
    if (beeps()) beep();
  } else if (what === "scans" && detail?.resynced) {
    // Not only for a moment: somebody who was away needn't look at once.
    worked("missed", `${detail.isMore ? "At least " : ""}${counted(detail.resynced, "new scan")} while this page was away`, missedMs);
  } else if (what === "error" && detail?.message) {
    failed(`station ${detail.code}`, sentence(detail.message));
  }
  if (what === "state" || what === "session") drawStrip();
  if (what === "state") {
    showTrial();
    compareVersion();
  }
}

/** How the station is, in one line that is always there: nothing moves when something goes wrong. */
function drawStrip() {
  if (!strip) return;
  const { kind, text, detail } = condition();
  strip.row.className = `strip ${kind}`;
  say(strip.text, text);
  say(strip.detail, detail ?? "");
  const { viewers } = store.console;
  say(strip.viewers, viewers > 1 ? `${viewers} watching` : "only you watching");
  if (store.station?.name) say(document.getElementById("station-name"), store.station.name);
}

function condition() {
  if (store.lost) return { kind: "bad", text: "No connection.", detail: store.lost };
  if (store.away) return { kind: "bad", text: "The station is away.", detail: `${sentence(store.away)} It comes back by itself once it runs.` };
  const station = store.station;
  if (!station) return { kind: "wait", text: "Asking the station…" };
  if (station.paused) return { kind: "warn", text: "Paused.", detail: "Nothing is read until somebody resumes." };
  const camera = cameraTrouble(station.camera);
  if (camera && !rests(station)) return { kind: camera.hides ? "bad" : "warn", text: `${camera.title}.`, detail: camera.remedy };
  const journal = journalTrouble(station.journal);
  if (journal) return { kind: journal.hides ? "bad" : "warn", text: `${journal.title}.`, detail: journal.remedy };
  if (station.awaitingConfirmation) return { kind: "warn", text: "Waits for a confirmation.", detail: "" };
  if (station.session) return { kind: "good", text: "Looking for a code.", detail: "" };
  const stands = (station.outputs ?? []).find((output) => ["stalled", "waiting", "failed"].includes(output.state) && output.required);
  if (stands) return { kind: "warn", text: `${stands.name} takes no scans now.`, detail: "They wait. The page Outputs says why." };
  if (hasSessions(station.mode)) return { kind: "good", text: "Ready.", detail: `A trigger starts a session.${pretence(station)}` };
  return { kind: "good", text: "Reading.", detail: `Each code that comes into view is a scan.${pretence(station)}` };
}

/** What isn't real, said where people look first. */
function pretence(station) {
  const isScene = station.camera?.id === "replay";
  if (isScene && station.simulated) return " Camera and lines are simulated.";
  return isScene ? " The camera is simulated." : station.simulated ? " The lines are simulated." : "";
}
