// The first password by the station's button: this browser shows a code to the camera between two presses.

import { call, get } from "./api.js";
import { button, field, h, replace, say, svg } from "./dom.js";

const lookEveryMs = 1000;
const pressAgain = "The station has read it. Press its button once more.";
/** Light modules around the code, as its standard wants. */
const margin = 4;

const ends = {
  expired: "It took too long.",
  twoAsked: "Another device asked at the same moment, so neither of the two may go on. If that wasn't you, somebody else in this network wants to "
    + "get in: set the password on the Pi itself.",
  otherCode: "The station saw another code than this one, so it stopped. Show only this screen.",
  barred: "The station's configuration doesn't allow it any more.",
  replaced: "This browser has asked for another code since.",
  unknown: "The station doesn't know this code any more. Was it started again?",
};

/**
 * A card that leads through it.
 * @param {Function} done is called when this browser is signed in
 * @param {boolean} isInTerminal the station's button may be a key of its panel
 */
export function firstPassword(name, done, isInTerminal = false) {
  const card = h("section", { class: "card stack first-password", "aria-labelledby": "first-password-title" });
  const heading = () => h("h2", { id: "first-password-title", tabindex: -1 }, "With the station's button");
  const spoken = h("p", { role: "status", class: "first-password-step" });
  const trouble = h("p", { class: "form-error", role: "alert" });
  let turn = 0;

  function begin() {
    turn += 1;
    replace(card, heading(), h("p", {}, "Anyone who stands at the station and can press its button may set the password. Keep everything else out of the camera's view."),
      isInTerminal && h("p", { class: "hint" }, "This station runs in a terminal. If its panel is shown there, the key ", h("code", {}, "h"),
        " is the button: once to hold it, once more to let go. Without the panel and without a wired button it doesn't work: use a command below."),
      trouble, button("Show the code", ask, { kind: "primary wide" }));
  }

  async function ask() {
    say(trouble, "");
    try {
      follow(await call("POST", "/first-password", { silent: true }));
    } catch (error) {
      say(trouble, error.message);
    }
  }

  function follow(claim) {
    turn += 1;
    const mine = turn;
    // With its text from the start: nothing below it moves under a finger.
    const left = h("p", { class: "hint" }, secondsLeft(claim.leftMs));
    const steps = h("ol", { class: "first-password-steps" },
      h("li", {}, "Keep this screen away from the camera, and hold the button for five seconds, until the station answers with a short and a long beep. ",
        "Two low beeps: something was in view. Clear it, and hold again."),
      h("li", {}, "Show this screen to the camera, until it answers with five quick beeps."),
      h("li", {}, "Press the button once more."));
    // A page that comes back has no code any more; once it was read it needs none.
    const lost = !claim.code && claim.stage !== "read" && h("div", { class: "stack" },
      h("p", {}, "The code isn't kept when the page is loaded again. Show a new one, which replaces it; then hold the button, even if you have held it already."),
      button("Show a new code", ask, { kind: "primary wide" }));
    replace(card, heading(), spoken, claim.code && [picture(claim.code), steps], lost, left, trouble, button("Stop", () => stop(), { kind: "quiet" }));
    card.querySelector("h2").focus();
    let until = performance.now() + claim.leftMs;
    say(spoken, claim.stage === "read" ? pressAgain : lost ? "The station still waits for this browser's code." : "Hold the station's button now.");
    // On a phone that lies on its side: what to do now, and the code below it.
    spoken.scrollIntoView({ block: "start" });

    function read() {
      say(spoken, pressAgain);
      if (!lost?.isConnected) return;
      if (lost.contains(document.activeElement)) card.querySelector("h2").focus({ preventScroll: true });
      lost.remove();
    }

    async function look() {
      if (mine !== turn || !card.isConnected) return;
      try {
        const now = await get("/first-password", { silent: true });
        if (mine !== turn) return;
        until = performance.now() + now.leftMs;
        if (now.stage === "open") return open();
        if (now.stage === "over") return over(ends[now.why] ?? "The station has stopped it.");
        if (now.stage === "read") read();
      } catch (error) {
        if (error.status === 404) return over(ends.unknown);
        say(trouble, error.message);
      }
      say(left, secondsLeft(until - performance.now()));
      setTimeout(look, lookEveryMs);
    }
    look();
  }

  async function stop() {
    turn += 1;
    await call("DELETE", "/first-password", { silent: true }).catch(() => {});
    begin();
    card.querySelector("button").focus();
  }

  function over(why) {
    turn += 1;
    begin();
    say(trouble, why);
    card.querySelector("button").focus();
  }

  function open() {
    turn += 1;
    const password = h("input", { type: "password", id: "first-new", autocomplete: "new-password", required: true, minlength: 8, maxlength: 256 });
    const again = h("input", { type: "password", id: "first-again", autocomplete: "new-password", required: true, minlength: 8, maxlength: 256 });
    const submit = h("button", { type: "submit", class: "button primary wide" }, h("span", {}, "Set the password"));
    say(trouble, "");
    say(spoken, `This browser may set the password of ${name} now.`);
    replace(card, heading(), spoken, trouble, h("form", {
      class: "stack",
      onsubmit: async (event) => {
        event.preventDefault();
        if (password.value !== again.value) {
          say(trouble, "The two passwords differ.");
          return again.focus();
        }
        submit.disabled = true;
        try {
          await call("PUT", "/first-password", { body: { password: password.value }, silent: true });
          await done();
        } catch (error) {
          submit.disabled = false;
          if (error.status === 409) return over(error.message);
          say(trouble, error.message);
          password.focus();
        }
      },
    }, field("New password", password, "At least 8 characters."), field("New password once more", again), submit));
    password.focus();
  }

  /** After a reload the station goes on waiting, and what it has read still counts; the code itself is gone. */
  async function goOn() {
    const mine = turn;
    const now = await get("/first-password", { silent: true }).catch(() => null);
    if (mine !== turn) return;
    if (now?.stage === "open") open();
    else if (now?.stage === "read" || now?.stage === "waiting") follow(now);
  }

  begin();
  goOn();
  return card;
}

function secondsLeft(milliseconds) {
  return `${Math.max(0, Math.ceil(milliseconds / 1000))} s left`;
}

/** Dark on light, whatever the colours of the page: cameras want that. */
function picture(rows) {
  const side = rows.length + 2 * margin;
  const dark = rows.flatMap((row, y) => [...row].map((one, x) => (one === "1" ? `M${x + margin} ${y + margin}h1v1h-1z` : ""))).join("");
  return svg("svg", { class: "first-password-code", viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": "The code to show to the station",
    "shape-rendering": "crispEdges" }, svg("rect", { width: side, height: side, class: "paper" }), svg("path", { d: dark, class: "ink" }));
}
