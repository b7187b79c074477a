// Which way up the camera is mounted: buttons where the station lets it be changed, else where to change it.

import { call, get } from "./api.js";
import { button, h, replace } from "./dom.js";
import { attempt } from "./notices.js";
import { oneAtATime } from "./one-at-a-time.js";
import { listen, loadState, may } from "./store.js";

const rotation = "capture.orientation.rotation";
const mirrored = "capture.orientation.mirrored";

/** A card that fills itself. */
export function orientation() {
  const body = h("div", { class: "stack" }, elsewhere());
  const card = h("section", { class: "card", "aria-labelledby": "orientation-title" },
    h("h2", { id: "orientation-title" }, "Is the picture turned?"), body);
  if (may("manage")) fill(body);
  return card;
}

const elsewhere = () => h("p", { class: "hint" }, "How the camera is mounted is in the station's configuration: ",
  h("code", {}, "capture.orientation"), " in station.yaml, and a restart.");

async function fill(body) {
  let settings;
  let now;
  const load = oneAtATime(async () => {
    settings = await get("/settings");
    now = Object.fromEntries(settings.keys.map((key) => [key.key, key.value]));
  });
  // One after the other: a second press before the first has its answer would name a revision that is no longer there.
  let last = Promise.resolve();
  const change = (values) => {
    last = last.then(() => attempt("orientation", async () => {
      try {
        await call("PATCH", "/settings", { headers: { "If-Match": settings.revision }, body: { values: values() } });
      } finally {
        // Even when somebody else was faster: the next try starts from what is there now.
        await load();
      }
      loadState();
    }));
  };
  try {
    await load();
  } catch {
    // What it says already holds anyway.
    return;
  }
  if (!(rotation in now)) return;
  const end = listen((what) => {
    if (!body.isConnected) end();
    else if (what === "settings") load().catch(() => {});
  });
  replace(body, h("div", { class: "row" },
    button("Turn by 90°", () => change(() => ({ [rotation]: (Number(now[rotation]) + 90) % 360 })), { kind: "quiet", icon: "again" }),
    mirrored in now && button("Mirror", () => change(() => ({ [mirrored]: !isOn(now[mirrored]) })), { kind: "quiet" })));
}

const isOn = (value) => value === true || value === "on";
