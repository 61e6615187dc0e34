// One request of a log: as HTTP, or as a call that a fake has recorded. And the values that all forms of logs have.
import type { JsonValue } from "@bufbuild/protobuf";
import type { LoggedRequest } from "@roundtrip/styles";

export interface HttpEntry {
  readonly kind: "http";
  /** When it was received, in milliseconds since 1970; NaN if the log does not have it. */
  readonly atMs: number;
  readonly request: LoggedRequest;
  /** False if the log says that it failed. */
  readonly isAnswered: boolean;
}

export interface CallEntry {
  readonly kind: "call";
  readonly atMs: number;
  /** The operation's id. */
  readonly operation: string;
  /** In ProtoJSON; undefined if it is unknown. */
  readonly request: JsonValue | undefined;
  readonly isAnswered: boolean;
  /** Whether secrets are missing in the request, as in a recording. */
  readonly lacksSecrets: boolean;
}

export type LogEntry = HttpEntry | CallEntry;

export interface LoggedHttp {
  readonly time: unknown;
  readonly method: string;
  /** A URL or a request target. */
  readonly url: string;
  /** Undefined if the log does not have it. */
  readonly status: number | undefined;
  readonly mediaType: string;
  readonly body: Uint8Array | undefined;
}

/** Path and query of a URL or of a request target. */
function targetOf(url: string): string {
  if (url.startsWith("/")) return url;
  try {
    const { pathname, search } = new URL(url);
    return `${pathname}${search}`;
  } catch {
    return url;
  }
}

/** Proxies and browsers write status 0 for requests that ended without an answer. */
export function httpEntry({ time, method, url, status, mediaType, body }: LoggedHttp): HttpEntry {
  return {
    kind: "http",
    atMs: momentOf(time),
    request: {
      method: method.toUpperCase(),
      target: targetOf(url),
      mediaType: (mediaType.split(";", 1)[0] ?? "").trim().toLowerCase(),
      body,
    },
    isAnswered: status === undefined || (status > 0 && status < 400),
  };
}

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
