// What the page knows of the station. Pages listen and draw; nothing here touches the document.

import { get, ApiError } from "./api.js";
import { oneAtATime } from "./one-at-a-time.js";

/** How many scans are kept for the Live page. */
const keptScans = 50;

const listeners = new Set();

/** The page's knowledge. Read it; change it only by the functions below. */
export const store = {
  /** @type {{signedIn: boolean, scopes: string[], passwordSet: boolean, station: string|null, howTo: string}|null} */
  session: null,
  /** The `status` reply's body; null before the first one. */
  station: null,
  /** Why the station is away; null when it is there. */
  away: null,
  /** Why the console itself doesn't answer; null when it does. */
  lost: null,
  console: { version: "", viewers: 0, door: false },
  /** The latest scans, newest first. */
  scans: [],
  /** Codes that aren't read, as the last `unread` event or status said. */
  unread: [],
  /** The last session that ended without a scan, until the next scan. */
  noRead: null,
};

/** Whether this sign-in may do what a scope covers. */
export const may = (scope) => store.session?.scopes.includes(scope) ?? false;

/**
 * Calls back after each change with what changed: `session`, `state`, `scans`, `receipt`, `unread`, `away`, `settings`, `regained` (the console answers again).
 * @returns {Function} ends it
 */
export function listen(callback) {
  listeners.add(callback);
  return () => listeners.delete(callback);
}

export function tell(what, detail) {
  for (const listener of [...listeners]) listener(what, detail);
}

export async function loadSession() {
  store.session = await get("/session");
  store.lost = null;
  tell("session");
}

/** Asks for the state, of now or later. */
export const loadState = oneAtATime(fetchState);

async function fetchState() {
  try {
    const state = await get("/state");
    const isRegained = Boolean(store.lost);
    store.lost = null;
    store.away = state.stationAway ?? null;
    store.console = { ...store.console, ...state.console };
    if (state.station) {
      store.station = state.station;
      store.unread = state.station.unread ?? [];
    }
    tell("state");
    tell("unread");
    if (isRegained) tell("regained");
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 503) {
      store.away = error.message;
      tell("state");
    }
  }
}

let soon = 0;
/** Asks for the state once things have calmed down: one event seldom comes alone. */
export function loadStateSoon() {
  if (soon) return;
  soon = setTimeout(() => {
    soon = 0;
    loadState();
  }, 250);
}

/** For each list that is under way, the events about scans since it was asked for: its answer may be older than they are. */
const heardMeanwhile = new Set();

/** The newest scan up to which none is missing here, even after a sign-out. */
let complete = null;

/** Fetches the newest scans, and says how many weren't known. */
export async function loadScans() {
  const heard = [];
  heardMeanwhile.add(heard);
  let page;
  try {
    page = await get(`/scans?limit=${keptScans}`);
  } finally {
    heardMeanwhile.delete(heard);
  }
  const missed = missedIn(page.scans);
  store.scans = heard.reduce((scans, change) => change(scans), page.scans);
  complete = store.scans[0] ?? null;
  tell("scans", missed);
}

/** How many scans were read and not heard of. The list may be too short for all: their numbers have no gaps. */
function missedIn(scans) {
  const [newest] = scans;
  if (!newest || !complete) return {};
  if (newest.journal === complete.journal) {
    const since = store.scans.filter((scan) => scan.seq > complete.seq && scan.seq <= newest.seq).length;
    return { resynced: Math.max(0, newest.seq - complete.seq - since) };
  }
  const fresh = scans.filter((scan) => !store.scans.some((known) => known.id === scan.id)).length;
  return { resynced: fresh, isMore: fresh >= keptScans };
}

/** Changes the list of scans, and whichever list is under way. */
function changeScans(change) {
  for (const heard of heardMeanwhile) heard.push(change);
  const before = store.scans;
  store.scans = change(before);
  return store.scans !== before;
}

/** Forgets all that a signed-out person must not see. */
export function forget() {
  Object.assign(store, { station: null, away: null, scans: [], unread: [], noRead: null });
}

/** Takes an event of the stream. */
export function take(type, event) {
  switch (type) {
    case "scan": return takeScan(event);
    case "receipt":
      amend(event.scan, (scan) => {
        const rest = (scan.receipts ?? []).filter((receipt) => receipt.output !== event.output);
        return { ...scan, receipts: [...rest, { output: event.output, outcome: event.outcome, reason: event.reason, time: event.time }] };
      });
      return tell("receipt", event);
    case "answer": return amend(event.scan, (scan) => ({ ...scan, answer: event }));
    case "unread":
      store.unread = event.codes ?? [];
      return tell("unread");
    case "noRead":
      store.noRead = event;
      return tell("noRead", event);
    case "away":
      store.away = event.message ?? event.why ?? "The station doesn't answer.";
      return tell("state");
    case "back":
      store.away = null;
      loadState();
      loadScans().catch(() => {});
      return tell("state");
    case "state": return takeState(event);
    case "error": return tell("error", event);
  }
}

function takeScan(scan) {
  const isNew = changeScans((scans) => (scans.some((known) => known.id === scan.id) ? scans
    : [{ receipts: waiting(), answer: null, ...scan }, ...scans].sort(byAge).slice(0, keptScans)));
  if (!isNew) return;
  if (complete?.journal === scan.journal && complete.seq + 1 === scan.seq) complete = scan;
  store.noRead = null;
  tell("scans", { scan });
}

/** As in the journal: an output without a receipt waits. */
const waiting = () => (store.station?.outputs ?? []).map(({ name }) => ({ output: name, outcome: "waiting" }));

const byAge = (one, other) => (one.journal === other.journal ? other.seq - one.seq : one.time < other.time ? 1 : -1);

function amend(id, change) {
  const isThere = changeScans((scans) => (scans.some((scan) => scan.id === id)
    ? scans.map((scan) => (scan.id === id ? change(scan) : scan)) : scans));
  if (isThere) tell("scans", { amended: id });
}

/** What an event says of a part is shown at once; the whole follows. */
function takeState(event) {
  if (store.station) {
    if (event.part === "camera") {
      const { reason, detail, ...rest } = store.station.camera ?? {};
      store.station.camera = { ...rest, state: event.state, ...(event.reason && { reason: event.reason }),
        ...(event.detail && { detail: event.detail }) };
    } else if (event.part === "torch") {
      const { hasTorch, isTorchAvailable, isTorchActive, mode } = event;
      store.station.torch = { hasTorch, isTorchAvailable, isTorchActive, mode, detail: event.detail };
    } else if (event.part === "session") {
      store.station.session = event.state === "started" ? { id: event.session, trigger: event.trigger } : null;
    } else if (event.part === "confirmation") {
      store.station.awaitingConfirmation = event.state === "waiting" ? event.text ?? "(no text)" : null;
    } else if (event.part === "settings") {
      store.station.settings = event.settings;
      tell("settings", event);
    }
    tell("state");
  }
  loadStateSoon();
}
