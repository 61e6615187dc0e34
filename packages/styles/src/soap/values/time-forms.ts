// google.protobuf.Timestamp as xs:dateTime and google.protobuf.Duration as xs:duration.
import { create } from "@bufbuild/protobuf";
import { DurationSchema, TimestampSchema, type Duration, type Timestamp } from "@bufbuild/protobuf/wkt";
import { isTimeText } from "../../shared/proto-json/scalars.ts";
import { trimmed, unreadable, type TextForm } from "./scalar-forms.ts";

const nanosPerSecond = 1_000_000_000;
const msPerSecond = 1000;
/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z, in seconds since 1970. */
const earliest = -62_135_596_800n;
const latest = 253_402_300_799n;
/** Ten thousand years, in seconds. */
const longest = 315_576_000_000n;

/** `.5` for half a second; empty for a whole one. */
function fractionText(nanos: number): string {
  return nanos === 0 ? "" : `.${String(nanos).padStart(9, "0").replace(/0+$/, "")}`;
}

function nanosOf(fraction: string): number {
  return Number(fraction.padEnd(9, "0"));
}

/** What XML Schema allows beyond `xs:dateTime`'s own rules: a year of four digits, at most nine decimals, and a time zone. */
export const timePattern = String.raw`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+\-]\d{2}:\d{2})`;

const timeParts = /^(.{19})(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/;

export const timeForm: TextForm = {
  type: "dateTime",
  write(value) {
    const { seconds, nanos } = value as Timestamp;
    if (typeof seconds !== "bigint" || seconds < earliest || seconds > latest) {
      throw new Error("a time is before the year 1 or after 9999");
    }
    if (!Number.isInteger(nanos) || nanos < 0 || nanos >= nanosPerSecond) throw new Error("nanos are outside a second");
    const whole = new Date(Number(seconds) * msPerSecond).toISOString().slice(0, 19);
    return `${whole}${fractionText(nanos)}Z`;
  },
  read(text) {
    const own = trimmed(text);
    const [, whole, fraction = "", zone] = timeParts.exec(own) ?? [];
    if (zone === undefined || !isTimeText(own)) throw unreadable(text, "xs:dateTime with a time zone");
    const ms = Date.parse(`${whole}${zone}`);
    const seconds = Number.isNaN(ms) ? latest + 1n : BigInt(ms) / BigInt(msPerSecond);
    if (seconds < earliest || seconds > latest) throw unreadable(text, "xs:dateTime of the years 1 to 9999");
    return create(TimestampSchema, { seconds, nanos: nanosOf(fraction) });
  },
};

/** Days, hours, minutes and seconds: years and months have no fixed length. */
export const durationPattern = String.raw`-?P(\d{1,12}D)?(T(\d{1,12}H)?(\d{1,12}M)?(\d{1,12}(\.\d{1,9})?S)?)?`;

const durationParts =
  /^(-?)P(?:(\d{1,12})D)?(?:T(?=\d)(?:(\d{1,12})H)?(?:(\d{1,12})M)?(?:(\d{1,12})(?:\.(\d{1,9}))?S)?)?$/;

export const durationForm: TextForm = {
  type: "duration",
  write(value) {
    const { seconds, nanos } = value as Duration;
    if (typeof seconds !== "bigint" || seconds < -longest || seconds > longest) {
      throw new Error("a duration is longer than ten thousand years");
    }
    if (!Number.isInteger(nanos) || Math.abs(nanos) >= nanosPerSecond) throw new Error("nanos are outside a second");
    if ((seconds < 0n && nanos > 0) || (seconds > 0n && nanos < 0)) {
      throw new Error("seconds and nanos of a duration have different signs");
    }
    const isNegative = seconds < 0n || nanos < 0;
    const whole = seconds < 0n ? -seconds : seconds;
    return `${isNegative ? "-" : ""}PT${whole}${fractionText(Math.abs(nanos))}S`;
  },
  read(text) {
    const own = trimmed(text);
    const [matched, sign, days, hours, minutes, seconds, fraction = ""] = durationParts.exec(own) ?? [];
    const given = [days, hours, minutes, seconds];
    if (matched === undefined || given.every((part) => part === undefined)) {
      throw unreadable(text, "xs:duration of days, hours, minutes and seconds");
    }
    const [d = 0n, h = 0n, m = 0n, s = 0n] = given.map((part) => BigInt(part ?? 0));
    const total = ((d * 24n + h) * 60n + m) * 60n + s;
    if (total > longest) throw unreadable(text, "xs:duration of at most ten thousand years");
    const nanos = nanosOf(fraction);
    const isNegative = sign === "-";
    return create(DurationSchema, {
      seconds: isNegative ? -total : total,
      // Not −0, which is another number.
      nanos: isNegative && nanos > 0 ? -nanos : nanos,
    });
  },
};
