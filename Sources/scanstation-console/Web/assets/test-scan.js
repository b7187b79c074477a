// Sends a made-up scan to an output, and says what became of it there.

import { call } from "./api.js";
import { clear, failed, worked } from "./notices.js";
import { listen } from "./store.js";
import { clause } from "./words.js";

/** Longer than an output that is well takes. */
const patienceMs = 4000;

/**
 * Sends one, and waits for the output's receipt.
 * @param {string} name the output's
 */
export async function sendTestScan(name) {
  const subject = `test ${name}`;
  const receipts = new Map();
  let heard = () => {};
  // From before it is sent: the receipt may be here before the answer is.
  const end = listen((what, event) => {
    if (what !== "receipt" || event.output !== name) return;
    receipts.set(event.scan, event);
    heard();
  });
  try {
    clear(subject);
    const { scan } = await call("POST", `/outputs/${encodeURIComponent(name)}/test`);
    say(subject, name, await arrival(receipts, scan, (callback) => (heard = callback)));
  } catch (error) {
    // The page shows the sign-in.
    if (error.status !== 401) failed(subject, error);
  } finally {
    end();
  }
}

/** The receipt for this scan; undefined if none comes in time. */
function arrival(receipts, scan, onReceipt) {
  return new Promise((resolve) => {
    const look = () => receipts.has(scan) && resolve(receipts.get(scan));
    onReceipt(look);
    setTimeout(() => resolve(undefined), patienceMs);
    look();
  });
}

function say(subject, name, receipt) {
  switch (receipt?.outcome) {
    case "accepted": return worked(subject, `${name} took the test scan: SCANSTATION-TEST. As JSON it says "test": true; lines made by a template have the text alone.`);
    case undefined: return failed(subject, `${name} hasn't taken the test scan yet. It goes as soon as ${name} takes scans again.`);
    default: return failed(subject, `${name} didn't take the test scan: ${clause(receipt.reason ?? receipt.outcome)}`);
  }
}
