// The expected value of a spelling, computed independently of the stacks: by long arithmetic, by a calendar, and letter by letter.
import type { RawValue, RawValueField } from "../arbitraries/spellings.ts";

const grammar = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** An exact integer; undefined for other values. */
function integerOf(text: string): bigint | undefined {
  const [, sign, whole, fraction = "", exponent = "0"] = grammar.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const mantissa = BigInt(whole + fraction) * (sign === "-" ? -1n : 1n);
  const power = Number(exponent) - fraction.length;
  // A number this large or small is not a 64-bit integer, unless it is zero.
  if (mantissa === 0n) return 0n;
  if (Math.abs(power) > 1_000) return undefined;
  const scale = 10n ** BigInt(Math.abs(power));
  if (power >= 0) return mantissa * scale;
  return mantissa % scale === 0n ? mantissa / scale : undefined;
}

function within(low: bigint, high: bigint): (text: string) => string | undefined {
  return (text) => {
    const value = integerOf(text);
    return value === undefined || value < low || value > high ? undefined : String(value);
  };
}

function shownNumber(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

function fractionOf(round: (value: number) => number): (text: string, isText: boolean) => string | undefined {
  return (text, isText) => {
    if (isText && ["NaN", "Infinity", "-Infinity"].includes(text)) return text;
    const value = grammar.test(text) ? round(Number(text)) : Number.NaN;
    return Number.isFinite(value) ? shownNumber(value) : undefined;
  };
}

const minute = 60;
const year1 = -62_135_596_800;
const year9999 = 253_402_300_799;

function timeOf(text: string): string | undefined {
  const shape =
    /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):(\d\d))$/.exec(text) ?? undefined;
  if (shape === undefined) return undefined;
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = shape.slice(1, 7).map(Number);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hours, minutes, seconds);
  // Date carries overflowing fields over and gives a different time.
  const isThere = date.toISOString() === `${text.slice(0, 19)}.000Z`;
  const [offsetHours, offsetMinutes] = [Number(shape[9] ?? 0), Number(shape[10] ?? 0)];
  const offset = (shape[8] === "-" ? -1 : 1) * (offsetHours * 60 + offsetMinutes) * minute;
  const at = date.getTime() / 1000 - offset;
  if (!isThere || offsetHours > 23 || offsetMinutes > 59 || at < year1 || at > year9999) return undefined;
  return `${at}s ${Number((shape[7] ?? "").padEnd(9, "0"))}ns`;
}

function durationOf(text: string): string | undefined {
  const [, sign, seconds, fraction = ""] = /^(-?)(\d+)(?:\.(\d{1,9}))?s$/.exec(text) ?? [];
  if (seconds === undefined || BigInt(seconds) > 315_576_000_000n) return undefined;
  const direction = sign === "-" ? -1n : 1n;
  return `${BigInt(seconds) * direction}s ${BigInt(fraction.padEnd(9, "0")) * direction}ns`;
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

function bytesOf(text: string): string | undefined {
  const padding = text.length - text.replace(/=+$/, "").length;
  const letters = text
    .slice(0, text.length - padding)
    .split("")
    .map((letter) => ("+-".includes(letter) ? 62 : "/_".includes(letter) ? 63 : alphabet.indexOf(letter)));
  const missing = (4 - (letters.length % 4)) % 4;
  if (letters.includes(-1) || missing === 3 || (padding !== 0 && padding !== missing)) return undefined;
  const bits = letters.map((value) => value.toString(2).padStart(6, "0")).join("");
  return (bits.match(/\d{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2).toString(16).padStart(2, "0")).join("");
}

const int64 = within(-(2n ** 63n), 2n ** 63n - 1n);

const valueOf: Readonly<Record<RawValueField, (text: string, isText: boolean) => string | undefined>> = {
  "scalars.int32Value": within(-(2n ** 31n), 2n ** 31n - 1n),
  "scalars.uint32Value": within(0n, 2n ** 32n - 1n),
  "scalars.int64Value": int64,
  "scalars.uint64Value": within(0n, 2n ** 64n - 1n),
  "scalars.doubleValue": fractionOf((value) => value),
  "scalars.floatValue": fractionOf(Math.fround),
  "scalars.bytesValue": bytesOf,
  "wrappers.int64Value": int64,
  "wellKnown.time": timeOf,
  "wellKnown.duration": durationOf,
};

/** The value that a handler must receive, as text; undefined if the request must be refused. */
export function expectedValue({ field, text, isText }: RawValue): string | undefined {
  // JSON allows spaces around a number.
  return valueOf[field](isText ? text : text.replace(/^[ \n]+|[ \n]+$/g, ""), isText);
}
