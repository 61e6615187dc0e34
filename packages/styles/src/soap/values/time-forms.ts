// google.protobuf.Timestamp as xs:dateTime and google.protobuf.Duration as xs:duration, by their text in ProtoJSON.
import { type JsonValue, toJson } from "@bufbuild/protobuf";
import { type Duration, DurationSchema, type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { messageFromJson } from "../../shared/proto-json/message-from-json.ts";
import { trimmed, unreadable, type TextForm } from "./scalar-forms.ts";

/** What XML Schema allows beyond `xs:dateTime`'s own rules: a year of four digits, at most nine decimals, and a time zone. */
export const timePattern = String.raw`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+\-]\d{2}:\d{2})`;

const readTime = messageFromJson(TimestampSchema, {});

export const timeForm: TextForm = {
  type: "dateTime",
  write: (value) => toJson(TimestampSchema, value as Timestamp),
  read(text) {
    try {
      return readTime(trimmed(text));
    } catch {
      throw unreadable(text, "xs:dateTime with a time zone, of the years 1 to 9999");
    }
  },
};

/** Days, hours, minutes and seconds: years and months have no fixed length. */
export const durationPattern = String.raw`-?P(\d{1,12}D)?(T(\d{1,12}H)?(\d{1,12}M)?(\d{1,12}(\.\d{1,9})?S)?)?`;

const durationParts =
  /^(-?)P(?:(\d{1,12})D)?(?:T(?=\d)(?:(\d{1,12})H)?(?:(\d{1,12})M)?(?:(\d{1,12})(?:\.(\d{1,9}))?S)?)?$/;

const readDuration = messageFromJson(DurationSchema, {});

/** The ProtoJSON of a duration, in seconds; undefined for other text. */
function secondsIn(text: string): JsonValue | undefined {
  const [matched, sign, days, hours, minutes, seconds, fraction = "0"] = durationParts.exec(text) ?? [];
  const given = [days, hours, minutes, seconds];
  if (matched === undefined || given.every((part) => part === undefined)) return undefined;
  const [d = 0n, h = 0n, m = 0n, s = 0n] = given.map((part) => BigInt(part ?? 0));
  return `${sign}${((d * 24n + h) * 60n + m) * 60n + s}.${fraction}s`;
}

export const durationForm: TextForm = {
  type: "duration",
  write(value) {
    const text = toJson(DurationSchema, value as Duration);
    return text.replace(/^(-?)(.*)s$/, "$1PT$2S");
  },
  read(text) {
    try {
      return readDuration(secondsIn(trimmed(text)) ?? null);
    } catch {
      throw unreadable(text, "xs:duration of days, hours, minutes and seconds, at most ten thousand years");
    }
  },
};
