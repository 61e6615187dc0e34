// Values in raw spellings, sent to stacks of the styles that are written in JSON, and what came of each held against what it should.
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
import { loadKnownLimits, loadMisuses, type ProtocolMisuse, type SpellingLimit } from "@roundtrip/styles";
import type { Spelled } from "../arbitraries/spellings.ts";
import { spelledValue } from "./spelled-value.ts";

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

/** The field of the values that is spelled. */
function fieldOf({ field }: Spelled): DescField {
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

function heardIn(values: Values | undefined, { field }: Spelled): string {
  const [group = "", name = ""] = field.split(".");
  const message = (values as unknown as Record<string, Record<string, unknown> | undefined> | undefined)?.[group];
  return shown(message?.[name]);
}

/** The stacks, served. */
export interface SpelledPanel {
  /** One line for each stack that departs from what should be. */
  differencesOn(spelled: Spelled): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** A stack of a style that is written in JSON. */
interface SpelledArm {
  readonly stackName: string;
  readonly server: RunningServer;
  readonly spellings: NonNullable<ProtocolMisuse["spellings"]>;
  readonly limits: readonly SpellingLimit[];
}

async function spelledArm(stackName: string, service: Service): Promise<readonly SpelledArm[]> {
  const { style } = knownStack(stackName);
  const spellings = (await loadMisuses(style))?.spellings;
  if (spellings === undefined) return [];
  const server = await (await loadServe(stackName))(service, serveDefaults);
  return [{ stackName, server, spellings, limits: (await loadKnownLimits(style)).spellings }];
}

/** How a sample is shown to people. */
export function shownSpelling({ field, text, isText }: Spelled): string {
  return `${field} spelled ${isText ? JSON.stringify(text) : text}`;
}

/** Serves the conformance service on those stacks whose style is written in JSON. */
export async function spelledPanel(stacks: readonly string[]): Promise<SpelledPanel> {
  let heard: Values[] = [];
  const echo = (request: Message): Message => {
    const { values } = request as EchoRequest;
    if (values !== undefined) heard.push(values);
    return create(EchoResponseSchema, {});
  };
  const service = serviceOf(contract, new Map([[call.operation.id, echo]]));
  const arms = (await Promise.all(stacks.map((stackName) => spelledArm(stackName, service)))).flat();
  return {
    async differencesOn(spelled) {
      const { text, isText } = spelled;
      const [group = "", name = ""] = spelled.field.split(".");
      const to = `{"${group}":{"${name}":${isText ? JSON.stringify(text) : text}}}`;
      const expected = spelledValue(spelled);
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
