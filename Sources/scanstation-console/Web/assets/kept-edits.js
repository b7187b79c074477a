// What somebody changed in Settings and hadn't applied when they went to another page, or the sign-in ended: kept in this tab until they come back.

const name = "scanstation.edits";
/** What sounds like a secret isn't written down, whatever it is. */
const secret = /password|passphrase|secret|token|credential/i;

/** @param {Array<import("./setting-control.js").SettingControl>} changed */
export function keepEdits(changed) {
  // Half a number is an empty field to a page: it would come back as a change to nothing.
  const edits = changed.filter(({ key, fault }) => !fault && !secret.test(key.key)).map((control) => [control.key.key, control.value]);
  try {
    if (edits.length) sessionStorage.setItem(name, JSON.stringify(Object.fromEntries(edits)));
  } catch {
    // A browser that keeps nothing.
  }
}

/** @returns {Object<string, any>} values by key */
export function keptEdits() {
  try {
    return JSON.parse(sessionStorage.getItem(name)) ?? {};
  } catch {
    return {};
  }
}

export function forgetEdits() {
  try {
    sessionStorage.removeItem(name);
  } catch {
    // As above.
  }
}
