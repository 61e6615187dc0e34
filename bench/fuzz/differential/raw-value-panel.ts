// Sends values in raw spellings to stacks of JSON styles, and compares what handlers receive with the expected values.
import { create, type DescField, type Message } from "@bufbuild/protobuf";
import type { Duration, Timestamp } from "@bufbuild/protobuf/wkt";
import type { Service } from "@roundtrip/contract";
import {
  EchoRequestSchema,
  EchoResponseSchema,
  type EchoRequest,
} from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { ValuesSchema, type Values } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/values_pb";
import { conformanceContract } from "@roundtrip/conformance";
import { serviceOf } from "@roundtrip/contract/service";
import { knownStack, loadServe, serveDefaults, type RunningServer } from "@roundtrip/stacks";
import { loadMisuses, type ProtocolMisuse } from "@roundtrip/styles";
import { loadFuzzedStyle, type SpellingLimit } from "../fuzzed-style.ts";
import type { RawValue } from "../arbitraries/spellings.ts";
import { expectedValue } from "./raw-value.ts";

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
