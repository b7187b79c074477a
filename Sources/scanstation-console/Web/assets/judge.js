// How far from good a picture is, in one word and one sentence. The worst of five is said; the others' colours show the rest.
//
// The limits are those at which decoders begin to fail (a module below 1.5 pixels) and at which they are at ease (2.5), and of a
// picture that is too dark or washed out for its edges.

import { sentence, unreadWords } from "./words.js";

const module = { least: 1.5, good: 2.5 };
const sharp = { least: 0.55, good: 0.85 };
const light = { dark: 40, dim: 70, washed: 0.2 };
const still = { good: 2, most: 6 };

const percent = (share) => `${Math.round(share * 100)} %`;

/** From where on each figure is good, to stand beside it. */
export const goodFrom = { focus: `good from ${percent(sharp.good)}`, module: `good from ${module.good}`, light: `good from ${light.dim}`,
  movement: `good up to ${still.good}` };

/** What is wrong with a light whose mean isn't, or null. */
export const washedOut = (figures) => (figures?.bright > light.washed ? `${percent(figures.bright)} burnt out, ${percent(light.washed)} at most` : null);

/** Whether there is a code, read or not: an empty table has edges, too, and no code need be as sharp as they are. */
export const showsCode = (frame) => (frame.codes ?? []).length > 0 || (frame.unread ?? []).some((code) => code.kind !== "picture");

/** How sharp it is, of the best code so far; null if that can't be told. What is sharper without being a code says nothing. */
export function shareOf(frame, best) {
  if (!best || frame.sharpness === null || frame.sharpness === undefined) return null;
  const share = frame.sharpness / best;
  return share > 1 && !showsCode(frame) ? null : share;
}

/**
 * @param {import("./preview.js").Frame} frame
 * @param {number} best the highest sharpness of a picture with a code so far
 * @returns {{kind: "good"|"warn"|"bad"|"wait", word: string, advice: string, parts: Object<string, string>}}
 */
export function judge(frame, best) {
  const parts = {
    focus: grade(shareOf(frame, best), sharp.least, sharp.good),
    module: grade(frame.modulePixels, module.least, module.good),
    light: lightGrade(frame.light),
    movement: frame.movement === null || frame.movement === undefined ? "none" : frame.movement <= still.good ? "good" : frame.movement <= still.most ? "warn" : "bad",
  };
  const isRead = (frame.codes ?? []).length > 0;
  const problems = [
    parts.light === "bad" && { word: frame.light.mean < light.dark ? "Too dark" : "Glare",
      advice: frame.light.mean < light.dark ? "Give it more light, or switch the torch on." : "Tilt the camera, or move the light away." },
    parts.movement === "bad" && { word: "Hold still", advice: `It moves by ${Math.round(frame.movement)} pixels between two pictures.` },
    parts.module === "bad" && { word: "Closer",
      advice: `A module has ${frame.modulePixels.toFixed(1)} pixels; ${module.good} are good. Come nearer by ${nearer(frame.modulePixels)} of the distance, or choose a higher resolution.` },
    parts.focus === "bad" && { word: "Blurred", advice: "Change the distance slowly until the sharpness stops rising." },
  ].filter(Boolean);
  if (problems.length && !isRead) return { kind: "bad", ...problems[0], parts };
  if (isRead) {
    const weak = Object.entries(parts).find(([, kind]) => kind === "bad" || kind === "warn");
    return weak ? { kind: "warn", word: "Reads", advice: better[weak[0]], parts } : { kind: "good", word: "Good",
      advice: "This place is read with something to spare.", parts };
  }
  const unread = (frame.unread ?? [])[0];
  if (unread) {
    const words = unreadWords(unread);
    return { kind: "bad", word: "Not read", advice: `${words.subject}: ${words.reason}. ${sentence(words.advice)}`, parts };
  }
  return { kind: "wait", word: "Show a code", advice: "Hold a code where codes will be. Then turn and move the camera until this says Good.",
    parts };
}

const better = {
  focus: "It was sharper before: go back a little.",
  module: "A little closer would be safer.",
  light: "More even light would be safer.",
  movement: "It still moves.",
};

/** How much of the distance has to go, as a person says it: pixels a module grow as the distance shrinks. */
function nearer(pixels) {
  const share = 1 - pixels / module.good;
  return share < 0.3 ? "a quarter" : share < 0.42 ? "a third" : share < 0.6 ? "half" : "two thirds";
}

function grade(value, least, good) {
  if (value === null || value === undefined || Number.isNaN(value)) return "none";
  return value >= good ? "good" : value >= least ? "warn" : "bad";
}

function lightGrade(figures) {
  if (!figures) return "none";
  if (figures.mean < light.dark || figures.bright > light.washed) return "bad";
  return figures.mean < light.dim ? "warn" : "good";
}
