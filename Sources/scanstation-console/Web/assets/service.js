// How the station was started, and so what a person types to change its configuration.

import { h } from "./dom.js";
import { store } from "./store.js";

/** @returns {{file: string, exists: boolean, service: boolean, program: string}} */
export function configuration() {
  return store.station?.configuration ?? { file: "/etc/scanstation/station.yaml", exists: true, service: true, program: "scanstation" };
}

/** From the changed file to a station that uses it; each a list of nodes. */
export function restartSteps() {
  const place = configuration();
  const check = `${place.service ? "sudo " : ""}${place.program} config check ${place.file}`;
  const first = ["Check it: ", h("code", {}, check), ". It names each error and what would be right."];
  return place.service ? [first, ["Restart the station: ", h("code", {}, "sudo systemctl restart scanstation"), "."]]
    : [first, ["Restart the station: end it in its terminal (Ctrl-C) and start it as before",
      place.file === "/etc/scanstation/station.yaml" ? "." : [" (", h("code", {}, `--config ${place.file}`), ").",],
      " The terminal then shows another link to this page."]];
}
