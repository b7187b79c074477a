// What is wrong, what to do about it, and how reading went.

import { get } from "../api.js";
import { button, h, icon, svg, withCode } from "../dom.js";
import { bytes, count, counted, dayName, duration } from "../format.js";
import { oneAtATime } from "../one-at-a-time.js";
import { badge } from "../scan-row.js";
import { settle } from "../settle.js";
import { listen, may, store } from "../store.js";
import { stackingTable } from "../table.js";
import { clause, sentence, unreadWords } from "../words.js";

const againMs = 15_000;
const away = "The station is away, so nothing can be checked. On the Pi: systemctl status scanstation, and journalctl -u scanstation -e.";
const verdicts = { fails: ["fails", "bad", 0], fail: ["fails", "bad", 0], warning: ["warning", "warn", 1], warn: ["warning", "warn", 1],
  ok: ["ok", "good", 2] };
const grade = (finding) => verdicts[String(finding.verdict).toLowerCase()] ?? [finding.verdict, "warn", 1];

export function show(main) {
  const verdict = h("p", { class: "lead", role: "status" }, "Asking the station…");
  const findings = h("div", { class: "stack" });
  const figures = h("div", { class: "cards" });
  const refresh = button("Check again", () => load(), { kind: "quiet", icon: "again" });
  main.append(h("div", { class: "title-row" }, h("h1", { tabindex: -1 }, "Health"), refresh), verdict, findings, figures);
  // Settings has nothing for those who may only look.
  if (may("manage") || may("operate")) {
    main.append(h("p", { class: "lead" }, "Was it better before? ", h("a", { href: "#/settings/changes" }, "Who changed what"),
      " is at the end of the page Settings."));
  }
  let health = null;

  // The button isn't disabled meanwhile: one that is loses the focus.
  const load = oneAtATime(async () => {
    try {
      health = await get("/health");
      draw();
    } catch (error) {
      verdict.textContent = error.status === 503 ? away : sentence(error.message);
      findings.replaceChildren();
      figures.replaceChildren();
      health = null;
    }
  });

  function draw() {
    if (!health) return;
    const all = [...(health.findings ?? [])].sort((one, other) => grade(one)[2] - grade(other)[2]);
    const bad = all.filter((finding) => grade(finding)[2] === 0).length;
    const warnings = all.filter((finding) => grade(finding)[2] === 1).length;
    verdict.textContent = summary(bad, warnings);
    const open = findings.querySelector("details")?.open;
    const fine = all.filter((finding) => grade(finding)[2] === 2);
    settle(findings, [...all.filter((finding) => grade(finding)[2] < 2).map(row),
      ...(fine.length ? [h("details", { class: "card", open }, h("summary", {}, `${counted(fine.length, "check")} passed`), fine.map(row))] : [])]);
    drawFigures(figures, { ...store.station, ...health, ...health.figures });
  }

  load();
  const timer = setInterval(() => document.hidden || load(), againMs);
  let soon = 0;
  const end = listen((what, told) => {
    if (what !== "state" || (told && !told.part)) return;
    clearTimeout(soon);
    soon = setTimeout(() => (Boolean(store.away) === Boolean(health) ? load() : draw()), 400);
  });
  return () => {
    clearInterval(timer);
    clearTimeout(soon);
    end();
  };
}

function summary(bad, warnings) {
  const also = counted(warnings, "warning");
  if (bad) return `${counted(bad, "thing")} ${bad === 1 ? "needs" : "need"} you${warnings ? `, and ${also}` : ""}.`;
  return warnings ? `Works, with ${also}.` : "All is well.";
}

function row(finding) {
  const [word, kind] = grade(finding);
  return h("div", { class: `finding ${kind}` }, h("div", { class: "card-head" }, h("h2", {}, finding.check), badge(word, kind)),
    h("p", {}, withCode(sentence(finding.text))),
    finding.advice && h("p", { class: "advice" }, h("strong", {}, "What to do: "), withCode(clause(finding.advice))));
}

function drawFigures(holder, state) {
  const camera = state.camera ?? {};
  const readers = state.readers ?? {};
  const journal = state.journal ?? {};
  const counters = state.counters ?? {};
  // An older station doesn't say, and not every machine knows.
  const machine = state.machine ?? {};
  settle(holder, [daysCard(state.days),
    facts("Station", [["Runs for", duration(state.uptimeSeconds)], ["Version", state.version],
      ["Heat", typeof machine.celsius === "number" && `${Math.round(machine.celsius)} °C`],
      ["Throttled", typeof machine.throttled === "boolean" && (machine.throttled ? "yes: it is too hot, or short of power" : "no")],
      ["Supply voltage", typeof machine.underVoltage === "boolean" && (machine.underVoltage ? "too low" : "enough")],
      ["Memory left", typeof machine.memoryAvailable === "number" && bytes(machine.memoryAvailable)],
      ["Heat, power, memory", !state.machine && "the station doesn't say"],
      ["Clock", state.clock === "unsynced" ? "not synchronised" : state.clock && "synchronised"]]),
    facts("Camera", [["Model", camera.model], ["Picture", camera.resolution], ["Frames a second", camera.frameRate],
      ["Frames", has(camera.framesDelivered)], ["Dropped", has(camera.framesDropped)], ["Damaged", has(camera.framesDamaged)],
      ["Restarts", has(camera.restarts)]],
    "Dropped frames are gaps in the camera's own count. A busy machine has some. Each damaged frame leaves a gap, too."),
    facts("Reading", [["Frames read", has(readers.framesRead)], ["Held back as unchanged", has(readers.gatedUnchanged)],
      ["Skipped: readers busy", has(readers.droppedBusy)], ["Readers that crashed", has(readers.crashed)], ["Timed out", has(readers.timedOut)]],
    "Skipped frames are normal where the camera gives more than the readers can take: they take the newest. What is held back looks like the one before."),
    facts("Scans since the start",
      [["Scans", has(counters.scans)], ["Sessions", has(counters.sessions)], ["Nothing read", has(counters.noReads)],
      ["Accepted by the host", has(counters.accepted)], ["Refused by the host", has(counters.refused)], ["Not kept", has(counters.notKept)]]),
    facts("Journal", [["Scans", has(journal.scans)], ["Size", journal.bytes !== undefined && bytes(journal.bytes)], ["State", journal.state]])]);
}

const has = (number) => (number === undefined ? undefined : count(number));

/** `note`: what is normal, as a large number looks like a fault. */
function facts(title, rows, note) {
  const told = rows.filter(([, value]) => value !== undefined && value !== null && value !== false && value !== "");
  if (!told.length) return h("section", { hidden: true });
  return h("section", { class: "card", "aria-label": title }, h("h2", {}, title),
    h("dl", { class: "facts" }, told.map(([name, value]) => [h("dt", {}, name), h("dd", {}, String(value))])), note && h("p", { class: "hint" }, note));
}

/** Scans a day as bars, with the same as a table below for those who can't see bars. */
function daysCard(days) {
  if (!days?.length) return h("section", { class: "card wide-card", "aria-label": "Days" }, h("h2", {}, "The last days"),
    h("p", { class: "hint" }, days ? "Nothing counted yet. Figures begin with the first scan." : "The station doesn't report daily figures. It is older than this page."));
  const most = Math.max(...days.map((day) => day.scans), 1);
  const hasSessions = days.some((day) => day.sessions > 0);
  const width = 24;
  const bars = svg("svg", { class: "day-bars", viewBox: `0 0 ${days.length * (width + 8)} 70`, preserveAspectRatio: "xMinYMax", "aria-hidden": "true" },
    days.map((day, index) => svg("rect",
      { x: index * (width + 8) + 4, y: 66 - (day.scans / most) * 62, width, height: Math.max((day.scans / most) * 62, 1.5), rx: 3 })));
  const unread = (day) => Object.values(day.noReads ?? {}).reduce((sum, number) => sum + number, 0);
  const causes = (day) => Object.entries(day.noReads ?? {}).sort(([, one], [, other]) => other - one).slice(0,
    2).map(([cause, number]) => `${cause === "nothingSeen" ? "nothing seen" : unreadWords({ cause }).reason} ${number}`).join(", ");
  return h("section", { class: "card wide-card", "aria-labelledby": "days-title" }, h("h2", { id: "days-title" }, "The last days"), bars,
    stackingTable("Figures a day", ["Day (UTC)", "Scans", hasSessions && "Sessions", "Nothing read", "Time to read"].filter(Boolean),
      days.map((day) => [{ head: dayName(day.date) }, count(day.scans), ...(hasSessions ? [count(day.sessions)] : []),
        [count(unread(day)), causes(day) && h("span", { class: "hint" }, `: ${causes(day)}`)],
        day.timeToRead ? `${count(day.timeToRead.medianMs)} ms` : "–"])).element);
}
