// For the person who stands at the shelf and turns the camera: one verdict that is readable from two metres, and the figures behind it.

import { command } from "../api.js";
import { beep, remembered } from "../beep.js";
import { button, h, say } from "../dom.js";
import { decimal } from "../format.js";
import { attempt, worked } from "../notices.js";
import { paint } from "../outlines.js";
import { Preview } from "../preview.js";
import { listen, may, store } from "../store.js";
import { cameraTrouble, hasSessions, rests, sentence } from "../words.js";
import { orientation } from "../orientation.js";
import { goodFrom, judge, shareOf, showsCode, washedOut } from "../judge.js";

/** The station's buzzer stops by itself after two minutes; it is asked for again before. */
const askAgainMs = 60_000;
/** The station reads for people who aim for ten seconds from the latest request. */
const lookEveryMs = 4000;
/** A camera that rested has its first picture by then, or doesn't start. */
const startMs = 5000;
/** A tab that is left open must not keep a station reading that reads only when it is triggered. */
const restsAfterMs = 10 * 60_000;
/** What shows that somebody is there. */
const inputs = ["pointerdown", "touchstart", "keydown"];
/** Between two tones that follow the focus. */
const toneEveryMs = 500;
/** Below this many px across, texts of codes would hide the codes; the verdict says what is wrong with them. */
const leastForTexts = 300;
/** From one frame to the next a code may be read or not: a verdict stays long enough to be read. */
const verdictStaysMs = 1000;

export function show(main) {
  let best = 0;
  let frame = null;
  let lastTone = 0;
  let lastLook = -Infinity;
  let firstLook = -Infinity;
  let lastInput = performance.now();
  let verdictSince = 0;
  let trouble = null;
  const canvas = h("canvas", { class: "picture", width: 640, height: 360, "aria-hidden": "true" });
  const stage = h("div", { class: "stage" }, canvas);
  const ratio = Number(remembered("scanstation.ratio"));
  if (ratio > 0.2 && ratio < 5) stage.style.setProperty("--ratio", ratio);
  const verdict = { box: h("div", { class: "verdict wait" }), word: h("p", { class: "verdict-word" }),
    advice: h("p", { class: "verdict-advice" }) };
  verdict.box.append(verdict.word, verdict.advice);
  const spoken = h("p", { class: "unseen", role: "status" });
  const tiles = { focus: tile("sharpness", "Sharpness", `of the best; ${goodFrom.focus}`), module: tile("size", "Size", `pixels a module; ${goodFrom.module}`),
    light: tile("light", "Light", `of 255; ${goodFrom.light}`), movement: tile("movement", "Movement", `pixels; ${goodFrom.movement}`) };
  const sound = h("input", { type: "checkbox", id: "aim-tone" });
  const buzzer = h("input", { type: "checkbox", id: "aim-buzzer", disabled: !may("operate"), onchange: follow });
  let asking = null;
  let isFollowing = false;
  let isGone = false;
  const wantsBuzzer = () => buzzer.checked && !isGone;

  /**
   * The station's own buzzer, for people without a phone at hand. One request at a time: two on their way at once may arrive in either
   * order, and the last word has to be the box's.
   */
  async function follow() {
    clearTimeout(asking);
    if (isFollowing) return;
    isFollowing = true;
    let isOn;
    let done;
    do {
      isOn = wantsBuzzer();
      const ask = () => command("aim", { on: isOn });
      // On another page nobody wants to read of it, and the station stops by itself.
      done = isGone ? await ask().catch(() => false) : await attempt("aim", ask);
    } while (wantsBuzzer() !== isOn);
    isFollowing = false;
    if (isOn && !done) buzzer.checked = false;
    else if (isOn) asking = setTimeout(renew, askAgainMs);
  }

  /** A page that nobody sees or touches lets it end. */
  function renew() {
    if (wantsBuzzer() && !document.hidden && !isPaused()) follow();
  }

  const isPaused = () => canLook() && performance.now() - lastInput >= restsAfterMs;

  /** Somebody is there. */
  function attend() {
    const wasPaused = isPaused();
    lastInput = performance.now();
    if (!wasPaused) return;
    renew();
    look();
    drawTrouble();
  }

  function seen() {
    if (document.hidden) return;
    attend();
    renew();
  }

  /** Where codes are read only in a session, the station reads for this page, too; nothing becomes a scan for that. */
  function look() {
    const now = performance.now();
    const helps = canLook() && !isPaused();
    if (!helps) lastLook = -Infinity;
    if (!helps || document.hidden || now - lastLook < lookEveryMs) return;
    if (lastLook === -Infinity) firstLook = now;
    lastLook = now;
    // What hinders it is shown in place of the picture, or by the picture itself.
    command("aim", { on: true, buzzer: false }).catch(() => {});
  }

  main.append(h("h1", { tabindex: -1, class: "unseen" }, "Aim"), verdict.box, spoken,
    h("div", { class: "aim-tiles" }, Object.values(tiles).map((one) => one.element)),
    // On a phone it lies among the figures: somebody who aims with the phone in one hand sees what the camera sees without scrolling.
    h("div", { class: "aim-picture" }, stage),
    h("div", { class: "card" }, h("div", { class: "row" }, button("Forget the best", forgetBest, { kind: "quiet", icon: "again" }),
    h("div", { class: "check" }, sound, h("label", { for: "aim-tone" }, "A tone on this device follows the focus")),
    h("div", { class: "check" }, buzzer, h("label", { for: "aim-buzzer" }, "The station's buzzer follows it")))),
    orientation());

  const preview = new Preview({
    frame: (next) => {
      frame?.bitmap.close();
      frame = next;
      trouble = null;
      look();
      stage.style.setProperty("--ratio", frame.frame.width / frame.frame.height);
      draw();
    },
    none: () => {
      look();
      drawTrouble();
    },
    failed: (error) => {
      trouble = error.status === 403 ? "This sign-in may not see the picture." : error.message;
      drawTrouble();
    },
  });

  /** The next picture with a code is the best; the one that is shown was before. */
  function forgetBest() {
    best = 0;
    verdictSince = 0;
    tiles.focus.show("–", null, "none");
    worked("aim", "Best reset. The next picture with a code counts as 100 %.");
  }

  function draw() {
    repaint();
    if (drawTrouble()) return;
    if (showsCode(frame)) best = Math.max(best, frame.sharpness ?? 0);
    const isBlind = frame.read === false && hasSessions(store.station?.mode) && !store.station.session && !may("operate");
    const judged = judge(frame, best);
    const result = isBlind ? blind(judged) : judged;
    if (performance.now() - verdictSince >= verdictStaysMs) told(result.kind, result.word, result.advice);
    const share = shareOf(frame, best);
    tiles.focus.show(share === null ? "–" : `${Math.round(share * 100)} %`, share, result.parts.focus,
      best > 0 ? `of the best, ${decimal(best, 2)}; ${goodFrom.focus}` : null);
    tiles.module.show(decimal(frame.modulePixels), frame.modulePixels ? Math.min(frame.modulePixels / 5, 1) : null, result.parts.module);
    const mean = frame.light?.mean;
    tiles.light.show(mean === undefined ? "–" : String(Math.round(mean)), mean === undefined ? null : mean / 255, result.parts.light,
      washedOut(frame.light));
    tiles.movement.show(decimal(frame.movement), frame.movement === null || frame.movement === undefined ? null : Math.min(frame.movement / 20, 1),
      result.parts.movement);
    if (sound.checked && share !== null && performance.now() - lastTone > toneEveryMs) {
      lastTone = performance.now();
      beep(300 + 1500 * share ** 2, 0.06);
    }
  }

  function repaint() {
    if (frame) paint(canvas, frame, { viewport: true, isBare: canvas.clientWidth < leastForTexts });
  }

  function drawTrouble() {
    const camera = cameraTrouble(store.station?.camera);
    const hinders = store.lost || store.away || trouble || (store.station?.paused && "The station is paused: resume it on the page Live.");
    // It rests because nobody looks, or rested, and this page has woken it.
    const paused = !hinders && isPaused();
    const starts = !hinders && !paused && canLook() && performance.now() - firstLook < startMs;
    const text = hinders || (camera?.hides && !((paused || starts) && rests(store.station)) && `${camera.title}. ${camera.remedy}`);
    if (!text && !paused && !camera?.hides && frame) return false;
    if (text) told("bad", "No picture", sentence(text));
    else if (paused) told("wait", "Paused", "Nobody has touched this page for ten minutes. Touch it, and the station looks again.");
    else told("wait", "Wait…", camera?.hides ? "The camera starts." : "The first picture is on its way.");
    // The first picture after it is judged at once.
    verdictSince = 0;
    for (const one of Object.values(tiles)) one.show("–", null, "none");
    return true;
  }

  function told(kind, word, advice) {
    verdict.box.className = `verdict ${kind}`;
    if (verdict.word.textContent !== word || verdict.advice.textContent !== advice) verdictSince = performance.now();
    if (verdict.word.textContent !== word) spoken.textContent = `${word}. ${advice}`;
    say(verdict.word, word);
    say(verdict.advice, advice);
  }

  const endListening = listen(() => {
    look();
    drawTrouble();
  });
  document.addEventListener("visibilitychange", seen);
  for (const input of inputs) addEventListener(input, attend, { capture: true, passive: true });
  const resized = new ResizeObserver(() => repaint());
  resized.observe(canvas);
  if (may("preview")) preview.start();
  else trouble = "This sign-in may not see the picture.";
  look();
  drawTrouble();
  return () => {
    isGone = true;
    clearTimeout(asking);
    document.removeEventListener("visibilitychange", seen);
    for (const input of inputs) removeEventListener(input, attend, { capture: true });
    if (buzzer.checked) follow();
    preview.stop();
    endListening();
    resized.disconnect();
    frame?.bitmap.close();
  };
}

/** Whether asking the station to read makes it read, for a picture that this page may show. */
const canLook = () => may("operate") && may("preview") && hasSessions(store.station?.mode) && !store.station.paused && !store.away && !store.lost;

/** Nobody looks for codes. */
const blind = (verdict) => ({ ...verdict, kind: "wait", word: "Press the trigger",
  advice: "This station looks for codes only in a session, and this sign-in may not begin one." });

/** A figure with a bar. */
function tile(name, title, unit) {
  const value = h("span", { class: "figure" }, "–");
  const bar = h("span", { class: "bar-fill" });
  const note = h("span", { class: "figure-note" }, unit);
  const element = h("div", { class: `aim-tile ${name} none` }, h("h2", {}, title), value, note, h("span", { class: "bar" }, bar));
  return {
    element,
    show(text, share, kind, told) {
      say(value, text);
      say(note, told ?? unit);
      element.className = `aim-tile ${name} ${kind}`;
      bar.style.setProperty("width", `${Math.round((share ?? 0) * 100)}%`);
    },
  };
}
