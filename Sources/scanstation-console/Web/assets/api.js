// Requests to the console, and what their errors mean to a person.

const base = "/api/v1";

let answeredAt = Date.now();

/** What the console answered instead of what was asked. */
export class ApiError extends Error {
  /**
   * @param {number} status of HTTP; 0: no answer at all
   * @param {string} code
   * @param {string} message
   */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
    /** Seconds to wait after a 429. */
    this.retryAfter = 0;
    /** The time since the last real answer: how long nobody has used this page. */
    this.idleMs = Date.now() - answeredAt;
  }
}

/** Called with each ApiError that concerns the whole page: 401, no answer. */
let onTrouble = () => {};
export function setTrouble(handler) {
  onTrouble = handler;
}

/**
 * @param {string} method
 * @param {string} path below /api/v1
 * @param {{body?: any, headers?: Object, signal?: AbortSignal, silent?: boolean}} [options] silent: the caller deals with everything
 * @returns {Promise<Response>} one that is ok
 * @throws {ApiError}
 */
export async function request(method, path, options = {}) {
  const headers = { Accept: "application/json", ...options.headers };
  if (options.body !== undefined) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(base + path, {
      method, headers, signal: options.signal, credentials: "same-origin", cache: "no-store", redirect: "error",
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    const lost = new ApiError(0, "unreachable", "The console didn't answer. Is this device still in the station's network, and is the station on?");
    if (!options.silent) onTrouble(lost);
    throw lost;
  }
  if (response.ok) {
    answeredAt = Date.now();
    return response;
  }
  const failure = await failureOf(response);
  if (!options.silent) onTrouble(failure);
  throw failure;
}

/** The JSON that the console answers; null for an answer without a body. */
export async function call(method, path, options) {
  const response = await request(method, path, options);
  if (response.status === 204) return null;
  return response.headers.get("Content-Type")?.includes("json") ? response.json() : null;
}

export const get = (path, options) => call("GET", path, options);

/**
 * A command to the station.
 * @param {string} name
 * @param {Object} [fields]
 */
export const command = (name, fields = {}) => call("POST", "/commands", { body: { command: name, ...fields } });

async function failureOf(response) {
  let told = null;
  try {
    told = (await response.json()).error;
  } catch {
    // A proxy's page, or nothing: the status has to do.
  }
  const text = typeof told === "string" ? told : told?.message;
  const failure = new ApiError(response.status, told?.code ?? String(response.status), text || meaning(response.status));
  failure.retryAfter = Number(response.headers.get("Retry-After")) || 0;
  return failure;
}

function meaning(status) {
  switch (status) {
    case 401: return "You are signed out. Sign in again.";
    case 403: return "This sign-in may not do that. Sign in with one that may.";
    case 404: return "There is no such thing, or no longer.";
    case 409: return "The station said no.";
    case 412: return "Somebody else was faster. Look at what is there now, and try again.";
    case 413: return "That is too long.";
    case 421: return "This page was asked for under a name that the station doesn't know. Use its address, or add the name to console.names.";
    case 429: return "Too many tries. Wait a little.";
    case 503: return "The station is away. It comes back by itself when it runs again.";
    default: return `The console answered ${status}. Try again; if it stays, look at the service's log.`;
  }
}
