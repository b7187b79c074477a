// Outputs in the words of somebody who has never heard of MQTT: what one does and where to begin come first, the engineers' name for it second.

/**
 * By kind. `title`: in a list to choose from; `does`: a sentence; `first`: where a person begins, if anything has to be done; `look`: where a test scan shows up.
 * @type {Object<string, {title: string, does: string, first: string, look: string, term: string}>}
 */
const kinds = {
  tcp: { title: "A program in the network", does: "Sends each scan through the network to a program.",
    first: "Start your program and let it listen at a port. Then put its machine's address and that port into the lines below.",
    look: "your program gets a line", term: "TCP" },
  webhook: { title: "A web server", does: "Sends each scan to a web address.",
    first: "Ask the people who run the server for an address that takes POST requests, and put it into the lines below.",
    look: "the server gets a request", term: "webhook" },
  mqtt: { title: "Home Assistant, or another MQTT broker", does: "Sends each scan to Home Assistant, or to any program that listens at an MQTT broker.",
    first: "Have a broker running, such as Home Assistant's add-on, with a user for the station. Put its address and that user into the lines below.",
    look: "the programs that listen at the broker get a message", term: "MQTT" },
  keyboard: { title: "A computer, as if somebody typed", does: "Types each scan into the computer that the station is plugged into.",
    first: "Plug the station into that computer by USB. The Pi must be one whose port can be a keyboard: Zero, 4 or 5.",
    look: "the text is typed where that computer's cursor is", term: "USB keyboard" },
  file: { title: "A file on the station", does: "Writes each scan to the end of a file on the station.",
    first: "Choose the file, or leave the one in the lines below.",
    look: "the file has one more line", term: "file" },
  serial: { title: "A till or a machine, by a serial cable", does: "Sends each scan through a serial cable, as tills and machines expect it.",
    first: "Connect the cable. Put its device, and the speed that the other side wants, into the lines below.",
    look: "the other side gets a line", term: "serial line" },
  unix: { title: "A program on the station's own machine", does: "Hands each scan to programs that run beside the station, on the same machine.",
    first: "Let your program connect to the path in the lines below.",
    look: "your program gets a line", term: "Unix socket" },
  stdout: { title: "The station's terminal", does: "Prints each scan where the station was started: in its terminal, or in the log.",
    first: "",
    look: "the terminal or the log has one more line", term: "standard output" },
  control: { title: "Programs that ask", does: "Sends each scan to programs on this machine that ask for it, such as `scanstation watch`.",
    first: "", look: "`scanstation watch` shows it", term: "control socket" },
};

/** A kind that this page doesn't know has its own name. */
export const kindWords = (kind) => kinds[kind] ?? { title: kind, does: "", first: "", look: "it shows up there", term: kind };

/** By state: a badge's word and colour; what that means; what else is to be known where the station gives no advice. */
const states = {
  ready: ["works", "good", "", ""],
  connecting: ["connects", "warn", "It is just being reached.", "Nothing is wrong yet: give it a few seconds."],
  idle: ["hasn't begun", "warn", "It begins when the station has started.", "If it stays like this, look at the page Health."],
  waiting: ["can't be reached", "warn", "The station can't reach it.", "It tries again by itself."],
  stalled: ["takes nothing", "warn", "It is connected, but takes nothing at the moment.", "The station goes on as soon as it does."],
  failed: ["doesn't work", "bad", "It doesn't work, and the station no longer tries.", "Correct what it says below, then restart the station."],
  stopped: ["has ended", "bad", "It has ended.", "It begins again when the station is restarted."],
};

/**
 * A state for people.
 * @param {{state: string, advice?: string}} output
 * @returns {{word: string, look: string, means: string}}
 */
export function stateWords(output) {
  const [word, look, means, rest] = states[output.state] ?? [output.state, "warn", "", ""];
  return { word, look, means: output.advice ? means : `${means} ${rest}`.trim() };
}
