// Ordinary words for settings: people who look for "duplicate" or "beep" don't know what the configuration calls it. The one list of them.

import { configuration } from "./service.js";

/** Words of people, and the keys that they may mean; one that ends with a full stop stands for all below it. */
const meanings = [
  ["duplicate double twice again repeat repeated same once many several multiple", ["trigger.sameSymbolTimeout", "trigger.repeatInterval", "trigger.gap", "trigger.maxScans"]],
  ["light lamp flash flashlight led bright brightness dark night illumination", ["torch.", "capture.exposure."]],
  ["sharp sharpness blurred blurry unsharp focus near far distance autofocus lens", ["capture.focus.", "capture.sharpness"]],
  ["flicker banding stripes hertz mains", ["capture.exposure.flicker"]],
  ["motion moving shake hand conveyor belt fast", ["capture.exposure.maxTime", "capture.exposure.time", "capture.frameRate"]],
  ["slow speed delay wait quick lag fps", ["capture.frameRate", "capture.idle", "capture.idleFrameRate", "trigger.gap", "trigger.timeout", "capture.focus.speed"]],
  ["area region crop part rectangle zone window field roi", ["capture.viewport", "capture.zoom"]],
  ["turn turned rotate upside flip mirror mirrored portrait mount mounted", ["capture.orientation."]],
  ["bigger larger small tiny magnify", ["capture.zoom", "capture.viewport"]],
  ["grain grainy noisy smear", ["capture.noiseReduction", "capture.exposure.gain"]],
  ["button press hold start stop session automatic always", ["trigger.mode", "trigger.releaseGrace", "trigger.pulseCancels", "trigger.timeout"]],
  ["nothing empty miss missed fail unread", ["trigger.reportsNoRead", "trigger.timeout"]],
  ["heat hot warm power energy save sleep rest idle standby", ["capture.idle", "capture.idleFrameRate", "capture.frameRate", "torch.mode"]],
];

/** What isn't set on this page: its name, the words of people for it, and where it is set. */
const places = () => [
  { title: "Outputs, hosts, passwords for them", words: "output outputs server host webhook mqtt tcp keyboard serial file export send homeassistant broker url",
    where: `outputs in ${configuration().file}; secrets in files beside it`, link: ["#/outputs", "How to add an output"] },
  { title: "The station's beep", words: "beep beeps sound sounds buzzer tone loud quiet volume mute silent silence noise audio speaker",
    where: "buzzer and feedback in station.yaml. The beep of this phone or computer is switched on the page Live", link: ["#/live", "To the page Live"] },
  { title: "Lines: torch, lights, buzzer, relay, buttons", words: "line lines gpio pin pins wire wiring led leds indicator lamp light torch button relay",
    where: "torch, indicators, buzzer, relay, trigger.button in station.yaml" },
  { title: "Kinds of codes", words: "symbology symbologies barcode code codes type types kind qr ean upc datamatrix matrix aztec pdf417 checksum length",
    where: "reading.symbologies in station.yaml" },
  { title: "What opens a door", words: "door relay lock open allow list access", where: "host, relay and the allow-list, in station.yaml and its files" },
  { title: "Which camera, resolution, how it is mounted", words: "camera resolution pixels megapixel webcam usb preset", where: "capture in station.yaml, then a restart" },
  { title: "Where scans are kept", words: "journal history storage store keep disk delete database log", where: "journal in station.yaml" },
  { title: "The station's name", words: "name rename title call", where: "name in station.yaml, then a restart" },
  { title: "The password, tokens, signing in", words: "password token tokens login sign user account key secret", where: "on the page behind the key, top right",
    link: ["#/account", "To the password"] },
  { title: "This page: address, port, names", words: "console page port address https tls certificate browser", where: "console in station.yaml" },
  { title: "Wi-Fi, network, time, language of the Pi", words: "wifi wi-fi wlan network internet ethernet lan ip dhcp time clock timezone language keyboard update",
    where: "they belong to the Pi, not to the station: sudo raspi-config, or sudo nmtui for the Wi-Fi, on the Pi" },
];

/** Words that say nothing about what is looked for. */
const fillers = new Set("a an and the is are it of to in on at for my me i how do does can why what when where with that this too much very not no".split(" "));
const shortest = 3;
/** From here on a word may be the middle of another one; a shorter one, such as "led", would be found in "called". */
const telling = 5;

/** What was typed, as words that say something. */
export function searchWords(typed) {
  const all = typed.toLowerCase().split(/[\s,;?!]+/).filter(Boolean);
  const kept = all.filter((word) => !fillers.has(word));
  return kept.length ? kept : all;
}

/** `duplicates` means what `duplicate` does, and so does `dupl`. */
const means = (word, words) => words.split(" ").some((one) => one === word
  || (word.length >= shortest && (one.startsWith(word) || (one.length >= shortest && word.startsWith(one)))));

/**
 * How many of the words a setting has: in its name, its help, its values, or in the list above.
 * @param {import("./setting-control.js").Key} key
 * @param {string} shown the words that the page shows of it
 * @param {string[]} words
 */
export function fitting(key, shown, words) {
  const text = `${key.key} ${shown} ${(key.choices ?? []).join(" ")}`.toLowerCase();
  const belongs = (one) => (one.endsWith(".") ? key.key.startsWith(one) : key.key === one);
  const has = (word) => (word.length >= telling ? text.includes(word) : text.split(/[^a-z0-9]+/).some((one) => one.startsWith(word)));
  return words.filter((word) => has(word) || meanings.some(([said, keys]) => keys.some(belongs) && means(word, said))).length;
}

/** The places that a word means; without words all of them. */
export const placesFor = (words) => places().filter((place) => !words.length || words.some((word) => means(word, place.words)));
