// Sends values in raw spellings to stacks of JSON styles, and compares what handlers receive with the expected values.
import { type DescField, type Message, create } from "@bufbuild/protobuf";
import type { Duration, Timestamp } from "@bufbuild/protobuf/wkt";
import { conformanceContract } from "@roundtrip/conformance";
import {
  type EchoRequest,
  EchoRequestSchema,
  EchoResponseSchema,
} from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { type Values, ValuesSchema } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/values_pb";
import type { Service } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { type RunningServer, knownStack, loadServe, serveDefaults } from "@roundtrip/stacks";
import { type ProtocolMisuse, loadMisuses } from "@roundtrip/styles";
import type { RawValue, RawValueField } from "../arbitraries/spellings.ts";
import { type SpellingLimit, loadFuzzedStyle } from "../fuzzed-style.ts";

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
function expectedValue({ field, text, isText }: RawValue): string | undefined {
  // JSON allows spaces around a number.
  return valueOf[field](isText ? text : text.replace(/^[ \n]+|[ \n]+$/g, ""), isText);
}

/** Replaced by the spelled value in a request that the style itself writes. */
const placeholder = { values: { presence: { text: "placeholder" } } } as const;
const placeholderJson = JSON.stringify(placeholder.values);

const contract = conformanceContract();
const call = {
  contract,
  operation: contract.operation("roundtrip.conformance.v1.ConformanceService.Echo"),
  request: create(EchoRequestSchema, placeholder) as Message,
  ca: undefined,
  maxRequestBytes: serveDefaults.maxMessageBytes,
};

function fieldOf({ field }: RawValue): DescField {
  const [group = "", name = ""] = field.split(".");
  const inGroup = ValuesSchema.fields.find(({ localName }) => localName === group)?.message?.fields;
  const found = inGroup?.find(({ localName }) => localName === name);
  if (found === undefined) throw new Error(`the values have no field ${field}`);
  return found;
}

function shown(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  if (typeof value === "object" && value !== null && "nanos" in value) {
    const { seconds, nanos } = value as Timestamp | Duration;
    return `${seconds}s ${Object.is(nanos, -0) ? "-0" : nanos}ns`;
  }
  return Object.is(value, -0) ? "-0" : String(value);
}

function heardIn(values: Values | undefined, { field }: RawValue): string {
  const [group = "", name = ""] = field.split(".");
  const message = (values as unknown as Record<string, Record<string, unknown> | undefined> | undefined)?.[group];
  return shown(message?.[name]);
}

export interface RawValuePanel {
  /** One line for each stack that differs from the expected value. */
  differencesOn(spelled: RawValue): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** A stack of a JSON style. */
interface RawValueArm {
  readonly stackName: string;
  readonly server: RunningServer;
  readonly spellings: NonNullable<ProtocolMisuse["spellings"]>;
  readonly limits: readonly SpellingLimit[];
}

async function rawValueArm(stackName: string, service: Service): Promise<readonly RawValueArm[]> {
  const { style } = knownStack(stackName);
  const spellings = (await loadMisuses(style))?.spellings;
  if (spellings === undefined) return [];
  const server = await (await loadServe(stackName))(service, serveDefaults);
  return [{ stackName, server, spellings, limits: (await loadFuzzedStyle(style)).knownLimits.spellings }];
}

export function shownSpelling({ field, text, isText }: RawValue): string {
  return `${field} spelled ${isText ? JSON.stringify(text) : text}`;
}

/** Serves the conformance service on those stacks whose style uses JSON. */
export async function rawValuePanel(stacks: readonly string[]): Promise<RawValuePanel> {
  let heard: Values[] = [];
  const echo = (request: Message): Message => {
    const { values } = request as EchoRequest;
    if (values !== undefined) heard.push(values);
    return create(EchoResponseSchema, {});
  };
  const service = serviceOf(contract, new Map([[call.operation.id, echo]]));
  const arms = (await Promise.all(stacks.map((stackName) => rawValueArm(stackName, service)))).flat();
  return {
    async differencesOn(spelled) {
      const { text, isText } = spelled;
      const [group = "", name = ""] = spelled.field.split(".");
      const to = `{"${group}":{"${name}":${isText ? JSON.stringify(text) : text}}}`;
      const expected = expectedValue(spelled);
      const differences: string[] = [];
      for (const { stackName, server, spellings, limits } of arms) {
        if (limits.some(({ appliesTo }) => appliesTo(fieldOf(spelled), isText))) continue;
        heard = [];
        // oxlint-disable-next-line no-await-in-loop
        const [answer] = (await spellings.send({ ...call, url: server.url }, [{ from: placeholderJson, to }])) ?? [];
        if (answer === undefined) throw new Error(`${stackName}: a request does not contain ${placeholderJson}`);
        const got = heard.length === 0 ? undefined : heardIn(heard[0], spelled);
        const isRefused = answer.code === "INVALID_ARGUMENT";
        if (got !== expected || isRefused !== (expected === undefined)) {
          const said = `${answer.code ?? "no code"} with HTTP status ${answer.httpStatus ?? "none"}`;
          differences.push(`${stackName}: heard ${got ?? "nothing"}, expected ${expected ?? "nothing"}: ${said}`);
        }
      }
      return differences;
    },
    async close() {
      await Promise.all(arms.map(({ server }) => server.close()));
    },
  };
}
