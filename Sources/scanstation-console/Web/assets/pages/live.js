// What the station sees, and what may be done about it.

import { command } from "../api.js";
import { beeps, remember, remembered, setBeeps } from "../beep.js";
import { button, fill, h, icon, say, setIcon } from "../dom.js";
import { counted, shortTime } from "../format.js";
import { attempt, worked } from "../notices.js";
import { paint } from "../outlines.js";
import { Preview } from "../preview.js";
import { listen, may, store } from "../store.js";
import { visibleText } from "../visible-text.js";
import { cameraTrouble, hasSessions, noReadWords, sentence, symbologyName, unreadWords } from "../words.js";
import { scanRow } from "../scan-row.js";

const torchModes = [["off", "Off"], ["on", "On"], ["auto", "Auto"], ["session", "While reading"]];
const shownScans = 6;
/** A picture that is older than this is said to stand still. */
const staleMs = 3000;
/** A code that stays longer is meant to be scanned again. */
const staysMs = 3000;

export function show(main) {
  const view = new LiveView(main);
  return () => view.leave();
}

class LiveView {
  constructor(main) {
    this.frame = null;
    this.pictureTrouble = null;
    this.lastFrameAt = 0;
    this.mark = null;
    /** When which scan's code came into view, by the page's own clock. */
    this.seen = new Map();
    this.build(main);
    this.endListening = listen((what) => this.changed(what));
    this.preview = new Preview({
      frame: (frame) => this.shows(frame),
      none: () => this.drawOverlay(),
      failed: (error) => {
        this.pictureTrouble = error.status === 403 ? "This sign-in may not see the picture." : error.message;
        this.drawOverlay();
      },
    });
    this.resized = new ResizeObserver(() => this.repaint());
    this.resized.observe(this.canvas);
    this.ticker = setInterval(() => this.drawOverlay(), 1000);
    for (const what of ["state", "scans", "unread"]) this.changed(what);
    if (may("preview")) this.preview.start();
    else this.pictureTrouble = "This sign-in may not see the picture.";
    this.drawOverlay();
  }

  leave() {
    this.preview.stop();
    this.endListening();
    this.resized.disconnect();
    clearInterval(this.ticker);
    this.frame?.bitmap.close();
  }

  build(main) {
    this.canvas = h("canvas", { class: "picture", width: 640, height: 360, "aria-hidden": "true" });
    this.cross = h("span", { class: "cross", hidden: true });
    this.point = h("button", {
      type: "button", class: "tap", "aria-label": "Picture of the camera. Tap to focus there; arrow keys move a mark, Enter focuses at it.",
      onclick: (event) => this.tapped(event), onkeydown: (event) => this.moveMark(event), onblur: () => this.setMark(null),
    }, this.cross);
    /** Loaded when somebody wants it. */
    this.editor = null;
    // The strip above says the same, and is spoken.
    this.overlay = h("div", { class: "overlay", hidden: true });
    this.confirmText = h("span", {});
    this.confirmBar = h("div", { class: "confirm-bar", role: "region", "aria-label": "Confirmation", hidden: true },
      h("p", {}, "Waits for a confirmation: ", this.confirmText),
      button("Confirm", () => attempt("confirm", () => command("confirm")).then((worked) => worked && this.point.focus({ preventScroll: true })),
        { kind: "primary", icon: "check" }));
    this.stage = h("div", { class: "stage" }, this.canvas, this.point, this.overlay, this.confirmBar);
    const ratio = Number(remembered("scanstation.ratio"));
    if (ratio > 0.2 && ratio < 5) this.stage.style.setProperty("--ratio", ratio);
    this.inView = h("p", { class: "in-view" }, "Nothing in view");
    this.list = h("ol", { class: "scan-list" });
    this.hero = h("div", { class: "hero" });
    main.append(h("h1", { tabindex: -1, class: "unseen" }, "Live"),
      h("div", { class: "live-picture" }, this.stage, this.inView),
      h("section", { class: "live-hero", "aria-label": "Last scan" }, this.hero),
      this.controls(), this.unreadSection(),
      h("section", { class: "live-scans", "aria-labelledby": "before-title" }, h("h2", { id: "before-title" }, "Before that"), this.list,
        h("a", { href: "#/scans", class: "more-link" }, "All scans")));
  }

  controls() {
    this.trigger = button("Trigger", () => this.pulled(), { kind: "primary wide", icon: "trigger" });
    this.pause = button("Pause", () => this.paused(), { kind: "tile", icon: "pause" });
    this.focusButton = button("Focus", () => attempt("focus", () => command("focus"), "The camera focuses again."), { kind: "tile", icon: "focus" });
    this.viewportButton = button("Viewport", () => this.editViewport(!this.editor?.isOpen), { kind: "tile", icon: "viewport" });
    this.viewportButton.setAttribute("aria-expanded", "false");
    this.identify = button("Find it", () => attempt("identify", () => command("identify"), store.station?.simulated ? "The simulated panel shows the lights and beeps now." : "The station shows its lights and beeps now."),
      { kind: "tile", icon: "identify" });
    this.torch = torchModes.map(([mode, title]) => {
      const input = h("input", { type: "radio", name: "torch", value: mode, id: `torch-${mode}`, onchange: () => this.light(mode) });
      return { mode, input, item: h("div", {}, input, h("label", { for: input.id }, title)) };
    });
    this.torchWhy = h("p", { class: "hint", id: "torch-why" });
    this.torchLegend = h("legend", {}, icon("torch"), h("span", {}, "Torch"));
    this.torchSet = h("fieldset", { class: "segments", "aria-describedby": "torch-why" }, this.torchLegend,
      h("div", { class: "segment-row" }, this.torch.map((one) => one.item)));
    const sound = h("input", { type: "checkbox", id: "beeps", checked: beeps(), onchange: () => setBeeps(sound.checked) });
    this.all = h("fieldset", { class: "plain controls", "aria-label": "Controls" }, this.trigger,
      h("div", { class: "tiles" }, this.focusButton, this.viewportButton, this.pause, this.identify), this.torchSet, this.torchWhy);
    this.operateWhy = h("p", { class: "hint" });
    return h("section", { class: "card live-controls", "aria-label": "Controls" }, this.all, this.operateWhy,
      h("div", { class: "check" }, sound, h("label", { for: "beeps" }, "Beep on this device at each scan")));
  }

  unreadSection() {
    this.unreadList = h("ul", { class: "unread-list" });
    this.unread = h("section", { class: "card live-unread", "aria-labelledby": "unread-title" },
      h("h2", { id: "unread-title" }, "Seen but not read"), this.unreadList);
    return this.unread;
  }

  // What the station says

  changed(what) {
    if (what === "state") this.drawState();
    if (what === "scans") this.drawScans();
    if (what === "unread") this.drawUnread();
    if (what === "noRead" || what === "scans") this.drawHero();
    this.drawOverlay();
  }

  drawState() {
    const { station, away, lost } = store;
    const isThere = Boolean(station) && !away && !lost;
    this.all.disabled = !isThere || !may("operate");
    say(this.operateWhy, may("operate") ? "" : "This sign-in may look, not operate.");
    if (!station) return;
    const sessions = hasSessions(station.mode);
    // In the other modes the station always looks.
    this.trigger.hidden = !sessions;
    say(this.trigger.querySelector("span"), station.session && sessions ? "Release" : "Trigger");
    say(this.pause.querySelector("span"), station.paused ? "Resume" : "Pause");
    setIcon(this.pause, station.paused ? "play" : "pause");
    const noFocus = (station.camera?.skipped ?? []).find((text) => text.startsWith("capture.focus:"));
    this.focusButton.disabled = Boolean(noFocus);
    say(this.focusButton.querySelector("span"), noFocus ? "Fixed lens" : "Focus");
    this.canFocus = !noFocus;
    const torch = station.torch ?? {};
    for (const { mode, input } of this.torch) {
      input.checked = torch.mode === mode;
      // What is off can always be chosen; the station takes the others as soon as the light is available.
      input.disabled = !torch.hasTorch || (!torch.isTorchAvailable && mode === "on");
    }
    this.torchSet.disabled = !torch.hasTorch;
    this.torchLegend.classList.toggle("lit", Boolean(torch.isTorchActive));
    say(this.torchLegend.querySelector("span"), torch.isTorchActive ? "Torch: lit" : "Torch");
    say(this.torchWhy, torch.isTorchAvailable ? "" : `Unavailable: ${sentence(torch.detail ?? "the station doesn't say why").replace(/^./, (c) => c.toLowerCase())}`);
    const waits = station.awaitingConfirmation;
    this.confirmBar.hidden = !waits || !may("operate");
    if (waits && this.confirmFor !== waits) {
      this.confirmFor = waits;
      this.confirmText.replaceChildren(visibleText(waits, { brief: true, limit: 60 }));
    }
  }

  drawScans() {
    const focused = this.list.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    const rows = store.scans.slice(1, shownScans).map((scan) => scanRow(scan));
    if (!rows.length) rows.push(h("li", { class: "hint" }, store.scans.length ? "Earlier ones will be listed here." : ""));
    this.list.replaceChildren(...rows);
    if (focused) this.list.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  /** The latest thing that happened, large. */
  drawHero() {
    const scan = store.scans[0];
    if (store.noRead) {
      const words = store.noRead.unread && unreadWords(store.noRead.unread);
      fill(this.hero, h("div", { class: "hero-card warn" }, h("p", { class: "hero-kind" }, "Nothing read"),
        h("p", { class: "hero-text small" }, `${noReadWords(store.noRead)}${words ? `: ${words.subject.toLowerCase()}, ${words.reason}` : ""}.`),
        words && h("p", { class: "hint" }, sentence(words.advice))));
    } else if (scan) {
      fill(this.hero, h("a", { class: "hero-card", href: `#/scans/${encodeURIComponent(scan.id)}` },
        h("p", { class: "hero-kind" }, symbologyName(scan.symbology), " · ", shortTime(scan.time)),
        h("p", { class: `hero-text${scan.text?.length <= 16 ? " large" : ""}` },
          visibleText(scan.text, { brief: true, limit: 70, withheld: scan.withheld }))));
    } else {
      fill(this.hero, h("div", { class: "hero-card" }, h("p", { class: "hero-kind" }, "No scans yet"),
        h("p", { class: "hero-text small" }, "Hold a code in front of the camera.")));
    }
  }

  drawUnread() {
    const items = store.unread.map((code) => {
      const words = unreadWords(code);
      return h("li", {}, icon("alert"),
        h("p", {}, h("strong", {}, `${words.subject}: ${words.reason}`), words.advice && h("span", {}, ` ${sentence(words.advice)}`)));
    });
    fill(this.unreadList, items.length ? items : h("li", { class: "hint" }, store.station?.paused ? "The station is paused and reads nothing." : "Nothing that looks like a code."));
  }

  // The picture

  shows(frame) {
    this.frame?.bitmap.close();
    this.frame = frame;
    this.pictureTrouble = null;
    this.lastFrameAt = performance.now();
    const ratio = frame.frame.width / frame.frame.height;
    if (Math.abs(ratio - (this.ratio ?? 0)) > 0.001) {
      this.ratio = ratio;
      this.stage.style.setProperty("--ratio", ratio);
      remember("scanstation.ratio", ratio);
    }
    this.stage.dataset.seq = frame.seq;
    this.stage.dataset.delivered = frame.deliveredMs ?? "";
    this.repaint();
    const read = frame.codes?.length ?? 0;
    const unread = (frame.unread ?? []).filter((code) => code.kind !== "picture").length;
    const seesAll = !frame.viewport || (frame.viewport.width >= 1 && frame.viewport.height >= 1);
    say(this.inView, read + unread === 0 ? (seesAll ? "Nothing in view" : "Nothing in the viewport; codes beside it aren't read") : [read && `${counted(read, "code")} read`,
      unread && `${unread} not read`].filter(Boolean).join(", ") + " in view" + this.already(frame.codes ?? []));
    this.drawOverlay();
  }

  /** Why what is in view isn't scanned again. */
  already(codes) {
    const ids = codes.map((code) => code.scan);
    if (this.seen.size > 99) this.seen.clear();
    for (const id of ids) if (!this.seen.has(id)) this.seen.set(id, this.lastFrameAt);
    if (hasSessions(store.station?.mode) || !ids.length || ids.some((id) => !id || this.lastFrameAt - this.seen.get(id) < staysMs)) return "";
    const scan = store.scans.find((one) => ids.includes(one.id));
    return `. Scanned already${scan ? `, at ${shortTime(scan.time)}` : ""}: take it away to scan it again (Settings: same symbol timeout).`;
  }

  repaint() {
    if (this.frame) paint(this.canvas, this.frame, { viewport: !this.editor?.isOpen });
  }

  /** What is said instead of the picture; it goes away by itself. */
  drawOverlay() {
    const message = this.message();
    this.overlay.hidden = !message;
    if (!message) this.overlay.replaceChildren();
    else {
      this.overlay.className = `overlay${message.hides ? " opaque" : ""}`;
      if (message.hides) say(this.inView, "Nothing in view");
      fill(this.overlay, h("div", {}, icon(message.icon ?? "camera-off"), h("p", { class: "overlay-title" }, message.title),
        message.text && h("p", {}, message.text)));
    }
  }

  message() {
    if (store.lost) return { title: "No connection to the console", text: store.lost, hides: true, icon: "away" };
    if (store.away) return { title: "The station is away",
      text: `${sentence(store.away)} It comes back by itself once it runs; on the Pi, “systemctl status scanstation” says more.`, hides: true,
      icon: "away" };
    if (store.station?.paused) return { title: "Paused", text: "Nothing is read, and the camera is free for others, until somebody resumes.",
      hides: true, icon: "pause" };
    const trouble = cameraTrouble(store.station?.camera);
    if (trouble) return { title: trouble.title, text: trouble.remedy, hides: trouble.hides };
    if (this.pictureTrouble) return { title: "No picture", text: this.pictureTrouble, hides: true };
    if (!this.frame) return { title: "Waiting for the picture…", hides: true, icon: "live" };
    if (performance.now() - this.lastFrameAt > staleMs) return { title: "The picture stands still", text: "No new frame came for some seconds.",
      hides: false };
    return null;
  }

  // What a person does

  tapped(event) {
    if (event.detail === 0 && this.mark) return this.focusAt(this.mark);
    if (event.detail === 0) return this.focusAt({ x: 0.5, y: 0.5 });
    const area = this.point.getBoundingClientRect();
    const mark = { x: clamp((event.clientX - area.left) / area.width), y: clamp((event.clientY - area.top) / area.height) };
    this.setMark(mark);
    this.focusAt(mark);
  }

  moveMark(event) {
    const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!move) return;
    event.preventDefault();
    const by = event.shiftKey ? 0.1 : 0.02;
    const from = this.mark ?? { x: 0.5, y: 0.5 };
    this.setMark({ x: clamp(from.x + move[0] * by), y: clamp(from.y + move[1] * by) });
  }

  setMark(mark) {
    this.mark = mark;
    this.cross.hidden = !mark;
    if (!mark) return;
    this.cross.style.setProperty("left", `${mark.x * 100}%`);
    this.cross.style.setProperty("top", `${mark.y * 100}%`);
  }

  focusAt({ x, y }) {
    if (!may("operate") || this.all.disabled) return;
    if (!this.canFocus) return worked("focus", "This camera has a fixed lens: nothing to focus.");
    attempt("focus", () => command("focus", { x: Number(x.toFixed(4)), y: Number(y.toFixed(4)) }), "The camera focuses there.");
  }

  async editViewport(isOn) {
    if (isOn && !await attempt("viewport", () => this.loadEditor())) return;
    this.viewportButton.setAttribute("aria-expanded", String(isOn));
    if (isOn) {
      this.editor.open(this.frame?.viewport ?? store.station?.camera?.viewport);
      this.stage.scrollIntoView({ block: "nearest" });
    } else {
      this.editor.close();
      this.viewportButton.focus();
    }
    this.repaint();
  }

  async loadEditor() {
    const { ViewportEditor } = await import("../viewport.js").catch(() => {
      throw new Error("The viewport's controls couldn't be loaded: the console didn't answer. Load the page again.");
    });
    if (this.editor) return;
    this.editor = new ViewportEditor((viewport) => attempt("viewport", () => command("viewport", viewport ?? {})), () => this.editViewport(false));
    this.point.after(this.editor.layer);
    this.inView.after(this.editor.panel);
  }

  light(mode) {
    attempt("torch", () => command("torch", { mode })).then((worked) => worked || this.drawState());
  }

  pulled() {
    attempt("trigger", () => command(store.station?.session ? "release" : "trigger"));
  }

  paused() {
    attempt("pause", () => command(store.station?.paused ? "resume" : "pause"));
  }
}

const clamp = (number) => Math.min(Math.max(number, 0), 1);
