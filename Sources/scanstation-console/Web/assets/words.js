// The station's words for people: what a state is called, and what to do about it.

import { plain } from "./visible-text.js";

const longest = 2000;

/** States of docs/glossary.md and docs/troubleshooting.md. `detail` of the station goes first where it has one. */
const cameras = {
  notLoaded: { title: "The camera isn't open yet", remedy: "The station is starting. This goes away by itself." },
  available: { title: "The camera rests", remedy: "It starts with the next session: trigger one." },
  running: null,
  permissionDenied: { title: "The station may not open the camera",
    remedy: "On the Pi: sudo usermod -aG video scanstation, then restart the station." },
  inUse: { title: "Another program has the camera", remedy: "Stop that program. The station takes over by itself." },
  suspended: { title: "The station has released the camera", remedy: "The station is paused, or rests between sessions: resume it, or trigger a session." },
  systemPressure: { title: "The camera does less than it could", remedy: "The Pi is too hot, short of power or of memory." },
  unavailable: { title: "There is no camera", remedy: "Check its cable. The station takes it again as soon as it is back." },
  blocked: { title: "The camera hangs",
    remedy: "The station is started again if it doesn't come back. If it stays, check the cable and the power supply." },
};

const reasons = {
  heat: { title: "The Pi is too hot", remedy: "Frame rate and light are reduced. Give it air." },
  underVoltage: { title: "The supply voltage is too low", remedy: "Use the supply made for this Pi, and a short cable." },
  memory: { title: "Memory is nearly used up", remedy: "Choose a lower capture.preset." },
  disconnected: { title: "The camera was unplugged", remedy: "Plug it in again: it is used as soon as it is back." },
  notFound: { title: "No camera was found", remedy: "Check its cable and which camera capture.camera names." },
  stoppedDelivering: { title: "The camera stands still", remedy: "Check the cable and the power supply. It is being restarted." },
  streamFailed: { title: "The camera failed while it was running", remedy: "It is being restarted. If this stays, check the cable." },
  noPlugin: { title: "No plugin fits the installed libcamera", remedy: "On the Pi: sudo scanstation camera build" },
  cannotBeAcquired: { title: "The station can't get the camera", remedy: "Another program may have it. The station tries again by itself." },
  configurationRejected: { title: "The camera refuses the settings", remedy: "Choose another capture.resolution or capture.preset." },
  noLumaFormat: { title: "This camera has no usable picture format", remedy: "Use another camera." },
  memoryBudget: { title: "The picture is too large for this Pi", remedy: "Choose a lower capture.preset." },
  scene: { title: "The scene can't be replayed", remedy: "Check capture.replay." },
};

/**
 * What is wrong with the camera, or null.
 * @param {{state: string, reason?: string, detail?: string}} camera
 * @returns {{title: string, remedy: string, hides: boolean}|null} hides: there is no picture
 */
export function cameraTrouble(camera) {
  const state = camera?.state;
  if (!state || state === "running") return null;
  const words = reasons[camera.reason] ?? cameras[state] ?? { title: `The camera says: ${state}`, remedy: "See the page Health." };
  return { title: words.title, remedy: sentence(camera.detail) || words.remedy, hides: state in cameras && state !== "systemPressure" };
}

/** What is wrong with the journal, or null; `hides`: nothing is accepted meanwhile. */
export function journalTrouble(journal) {
  switch (journal?.state) {
    case undefined: case "ready": return null;
    case "storageSlow": return { title: "The disk is slow", remedy: sentence(journal.detail), hides: false };
    case "full": return { title: "The journal is full: nothing is accepted", remedy: sentence(journal.detail), hides: true };
    default: return { title: "Scans can't be kept: nothing is accepted", remedy: sentence(journal.detail) || "See the page Health.", hides: true };
  }
}

/** Words for causes of `unread`; as the station's own (`UnreadText`). What to do it says with each code. */
const causes = {
  switchedOff: "switched off", wrongLength: "length not allowed", wrongCheckDigit: "check digit wrong", inverted: "light on dark",
  outsideViewport: "outside the viewport", inDoubt: "in doubt", cutOff: "cut off", tooDark: "too dark", glare: "glare", tooSmall: "too small",
  moving: "moving too fast", blurred: "blurred", lowContrast: "too little contrast", noQuietZone: "no quiet zone", damaged: "can't be made out",
};

/** What an unread place is called, why it isn't read, and what to do. */
export function unreadWords(code) {
  const reason = causes[code.cause] ?? code.cause ?? "not read";
  const subject = code.symbology ? symbologyName(code.symbology) : { linear: "Bars", matrix: "A matrix code",
    picture: "The picture" }[code.kind] ?? "A code";
  return { subject, reason, advice: code.advice ?? "" };
}

const symbologies = {
  ean_13: "EAN-13", ean_8: "EAN-8", upc_a: "UPC-A", upc_e: "UPC-E", code_128: "Code 128", code_39: "Code 39", code_93: "Code 93", codabar: "Codabar", itf: "ITF",
  itf_14: "ITF-14", qr_code: "QR", micro_qr_code: "Micro QR", data_matrix: "Data Matrix", aztec: "Aztec", pdf417: "PDF417", databar: "DataBar",
};
export const symbologyName = (name) => symbologies[name] ?? String(name ?? "").replaceAll("_", " ");

const kinds = {
  url: "link", wifi: "Wi-Fi", contact: "contact", event: "event", geo: "place", phone: "phone", sms: "message", email: "mail", bookmark: "bookmark",
  otp: "one-time password", gs1: "GS1", product: "product", secret: "secret", text: "text",
};
export const payloadKinds = kinds;
export const kindName = (kind) => kinds[kind] ?? kind;

const outcomes = {
  accepted: ["delivered", "good"], refused: ["refused", "bad"], skipped: ["skipped: too old", "warn"], undeliverable: ["can't be delivered", "bad"],
  waiting: ["waits", "warn"],
};
/** A receipt's outcome, and how good that is. */
export const outcomeWords = (outcome) => outcomes[outcome] ?? [outcome, "warn"];

/** An answer of the host. */
export function answerWords(answer) {
  if (answer.verdict === "accepted") return [answer.relay ? "accepted, door opened" : "accepted", "good"];
  if (answer.verdict === "refused") return [answer.reason ? `refused: ${answer.reason}` : "refused", "bad"];
  return ["no answer in time", "warn"];
}

const noReads = {
  timeout: "Time was up", released: "The trigger was let go", cancelled: "Cancelled", unconfirmed: "Nobody confirmed", cameraLost: "The camera was lost",
  refusedConfirmation: "Refused by hand",
};
export const noReadWords = (event) => noReads[event.reason] ?? event.reason;

/** Whether the mode reads in sessions, so that a trigger makes sense. */
export const hasSessions = (mode) => mode === "level" || mode === "pulse" || mode === "host";

/** Whether its camera rests between sessions, which is no trouble. */
export const rests = (station) => hasSessions(station?.mode) && ["available", "suspended"].includes(station.camera?.state);

/** What follows a colon: it may begin with a command, which has no capital letter. */
export const clause = (text) => (text ? ended(plain(text, longest)) : "");

/** With one end, whatever it had: what it is made of may have brought its own. */
export const ended = (text) => (/[.!?…]["”’)]*$/.test(text) ? text.replace(/([^.])\.\.$/, "$1.") : `${text}.`);

/** A capital letter and a full stop: details of the station are written for lines of a log. */
export function sentence(text) {
  if (!text) return "";
  // An address, a key or a path begins as it is typed.
  const first = /^[a-z'’-]+[,:;.]?(\s|$)/.test(text) ? text[0].toUpperCase() : text[0];
  return ended(plain(first + text.slice(1), longest));
}
