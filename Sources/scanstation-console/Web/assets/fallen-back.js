// A change that nobody kept: what the station's log of changes has of it, in words.

import { remember, remembered } from "./beep.js";
import { shortTime } from "./format.js";
import { plain } from "./visible-text.js";

const dismissed = "scanstation.fallenBack";
const longest = 80;

/**
 * The newest thing in the log, if it is a change that went back by itself.
 * @param {{changes?: Array<{time: string, author: string, key: string, from: string, to: string, back?: string}>}} settings
 * @returns {Array} its values, one by one; empty: what is newest was kept
 */
export function fallenBack(settings) {
  const [newest] = settings.changes ?? [];
  if (!newest?.back) return [];
  return settings.changes.filter((change) => change.back && change.time === newest.time && change.author === newest.author);
}

/** Why nobody kept it. */
export const whyBack = (change) => (change.back === "ended" ? "the station ended before anybody kept it" : "nobody kept it within its 60 s");

/** As a sentence: who, when, and why. */
export const whoseBack = (change) => `A change by ${plain(change.author, longest)} went back by itself at ${shortTime(change.time)}: ${whyBack(change)}.`;

/** Whether somebody at this browser has seen it and put it away. */
export const isDismissed = (changes) => remembered(dismissed) === changes[0]?.time;
export const dismiss = (changes) => remember(dismissed, changes[0].time);
