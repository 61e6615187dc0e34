// Moments as logs write them.
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** `10/Oct/2000:13:55:36 -0700`, the `%t` of Apache and `$time_local` of nginx. */
const common = /^(\d{1,2})\/([A-Za-z]{3})\/(\d{4}):(\d{2}):(\d{2}):(\d{2})(\.\d{1,9})? ?([+-])(\d{2})(\d{2})$/;

function fromCommon(text: string): number {
  const [, day, monthName = "", year, hour, minute, second, fraction = "0", sign, zoneHours, zoneMinutes] =
    common.exec(text) ?? [];
  const month = months.indexOf(monthName.toLowerCase());
  if (day === undefined || month === -1) return Number.NaN;
  const localMs = Date.UTC(Number(year), month, Number(day), Number(hour), Number(minute), Number(second));
  const zoneMs = (sign === "-" ? -1 : 1) * (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000;
  return localMs - zoneMs + Number(fraction) * 1_000;
}

/** Seconds, milliseconds, microseconds or nanoseconds since 1970: each has its own range from 1973 to 5138. */
function fromNumber(value: number): number {
  const size = Math.abs(value);
  if (size < 1e11) return value * 1_000;
  if (size < 1e14) return value;
  return size < 1e17 ? value / 1e3 : value / 1e6;
}

/** A moment in milliseconds since 1970; NaN for anything else. */
export function momentOf(value: unknown): number {
  if (typeof value === "number") return fromNumber(value);
  if (typeof value !== "string" || value.length > 64) return Number.NaN;
  if (/^\d+(?:\.\d+)?$/.test(value)) return fromNumber(Number(value));
  const ms = fromCommon(value);
  return Number.isNaN(ms) ? Date.parse(value) : ms;
}
