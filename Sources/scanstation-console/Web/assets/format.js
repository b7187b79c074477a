// Times and numbers as people read them, in the browser's own language and zone.

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const day = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short" });

/** 14:03:27, with the day if that isn't today. */
export function shortTime(time) {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return "";
  return date.toDateString() === new Date().toDateString() ? clock.format(date) : `${day.format(date)}, ${clock.format(date)}`;
}

export function longTime(time) {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? "" : full.format(date);
}

/** `2026-11-24` as a day; such dates are UTC. */
export const dayName = (date) => new Intl.DateTimeFormat(undefined,
  { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" }).format(new Date(`${date}T00:00:00Z`));

export const count = (number) => Number(number ?? 0).toLocaleString();

/** `1 scan`, `2 scans`. */
export const counted = (number, noun) => `${count(number)} ${noun}${number === 1 ? "" : "s"}`;

export const decimal = (number, digits = 1) => (number === null || number === undefined ? "–" : number.toFixed(digits));

/** `3 d 4 h`, `12 min`. */
export function duration(seconds) {
  if (!(seconds >= 0)) return "–";
  const parts = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
  const first = parts.findIndex(([size]) => seconds >= size);
  if (first < 0) return "0 s";
  const [size, unit] = parts[first];
  const next = parts[first + 1];
  const rest = next ? Math.floor((seconds % size) / next[0]) : 0;
  return `${Math.floor(seconds / size)} ${unit}${rest ? ` ${rest} ${next[1]}` : ""}`;
}

export function bytes(number) {
  const units = ["B", "KiB", "MiB", "GiB"];
  let at = 0;
  let size = number ?? 0;
  while (size >= 1024 && at < units.length - 1) {
    size /= 1024;
    at += 1;
  }
  return `${at ? size.toFixed(1) : size} ${units[at]}`;
}
