// The one stream of events, and what brings the page up to date after it broke or the device slept.
//
//   opened ── error ──▶ browser tries again ── open ──▶ resynced (state and scans are fetched: nothing depends on what was missed)
//     ▲                        │ gave up (401, 503…)
//     └──── opened again ◀─ after a while; at once when the page is shown, the network or the console is back, or scans come without a word

import { beeps } from "./beep.js";
import { listen, loadScans, loadState, store, take, tell } from "./store.js";

const types = ["scan", "state", "receipt", "answer", "noRead", "unread", "error", "away", "back"];
/** A clock that jumped by more was stopped: the device slept. */
const sleepMs = 20_000;
const againMs = 3000;
const lookMs = 10_000;
/** A browser has six connections to a host, for all its tabs: one that nobody looks at gives its own back, unless it is to beep. */
const hiddenMs = 30_000;

let source = null;
let again = 0;
let pulse = 0;
let lastBeat = 0;
let hiding = 0;
/** The station's last scan, if this page didn't have it at the last beat, and had not asked for it. */
let missed = null;
let asked = null;

listen((what) => what === "regained" && resync());

/** Opens the stream, and keeps it open. */
export function startEvents() {
  open();
  if (pulse) return;
  lastBeat = Date.now();
  pulse = setInterval(beat, lookMs);
  addEventListener("online", resync);
  addEventListener("pagehide", close);
  addEventListener("pageshow", shown);
  document.addEventListener("visibilitychange", turned);
}

export function stopEvents() {
  close();
  clearInterval(pulse);
  pulse = 0;
  removeEventListener("online", resync);
  removeEventListener("pagehide", close);
  removeEventListener("pageshow", shown);
  document.removeEventListener("visibilitychange", turned);
}

function close() {
  source?.close();
  source = null;
  clearTimeout(again);
  clearTimeout(hiding);
}

/** A page that the browser kept, and shows again. */
const shown = (event) => event.persisted && resync();

function turned() {
  clearTimeout(hiding);
  if (!document.hidden) resync();
  else if (!beeps()) hiding = setTimeout(close, hiddenMs);
}

function open() {
  source?.close();
  clearTimeout(again);
  source = new EventSource("/api/v1/events");
  source.onopen = () => {
    store.lost = null;
    tell("state");
    loadState();
    loadScans().catch(() => {});
  };
  source.onerror = () => {
    // The state's request says why, and whether a new sign-in is needed.
    loadState();
    if (source?.readyState === EventSource.CLOSED) again = setTimeout(open, againMs);
  };
  for (const type of types) source.addEventListener(type, (event) => receive(type, event));
}

function receive(type, event) {
  // An error of the connection has the same name, and no data.
  if (typeof event.data !== "string") return;
  let body;
  try {
    body = JSON.parse(event.data);
  } catch {
    return loadState();
  }
  take(type, body);
}

function beat() {
  const now = Date.now();
  const slept = now - lastBeat > lookMs + sleepMs;
  lastBeat = now;
  if (!pulse || document.hidden) return;
  // How many are watching isn't an event.
  if (slept) resync();
  else loadState().then(compare);
}

/** A connection that died without a word (the station's power was cut, the phone changed networks) looks open, and brings nothing. */
function compare() {
  const id = store.station?.lastScan?.id;
  const isKnown = !id || id === asked || store.scans.some((scan) => scan.id === id);
  // An event may be on its way; not for a whole beat.
  if (!isKnown && missed) {
    asked = id;
    resync();
  }
  missed = isKnown ? null : id;
}

/** After sleep, a lost network, a hidden page: a connection that looks open may be dead. */
function resync() {
  if (!pulse) return;
  lastBeat = Date.now();
  open();
}
