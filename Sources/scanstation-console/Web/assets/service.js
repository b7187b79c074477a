// How the station was started, and so what a person types to change its configuration.

import { h } from "./dom.js";
import { store } from "./store.js";

/** @returns {{file: string, exists: boolean, service: boolean, program: string, folder?: string}} folder: for files of a station in a terminal */
export function configuration() {
  return store.station?.configuration ?? { file: "/etc/scanstation/station.yaml", exists: true, service: true, program: "scanstation" };
}

/** Prints each value with where it is from: the file, the console, or a default. */
export function originCommand() {
  const place = configuration();
  if (place.service) return "scanstation config show --origin";
  return `${place.program} config show ${place.exists ? `${place.file} ` : ""}--origin${store.station?.simulated ? " --simulated" : ""}`;
}

/** From the changed file to a station that uses it; each a list of nodes. */
export function restartSteps() {
  const place = configuration();
  const check = `${place.service ? "sudo " : ""}${place.program} config check ${place.file}`;
  const first = ["Check it: ", h("code", {}, check), ". It names each error and what would be right."];
  if (place.service) return [first, ["Restart the station: ", h("code", {}, "sudo systemctl restart scanstation"), "."]];
  const made = place.program.includes("/.build/") ? [", or in the folder of its source ", h("code", {}, `make run ARGS="--config ${place.file}"`)] : [];
  return [first, ["Restart the station: end it in its terminal (Ctrl-C) and start it again",
    place.file === "/etc/scanstation/station.yaml" ? " as before." : [" with ", h("code", {}, `--config ${place.file}`), made, "."],
    " The terminal then shows another link to this page."]];
}
