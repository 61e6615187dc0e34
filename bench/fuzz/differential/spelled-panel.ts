// Values in raw spellings, sent to stacks of the styles that are written in JSON, and what came of each held against what it should.
import { create, type Message } from "@bufbuild/protobuf";
import type { Duration, Timestamp } from "@bufbuild/protobuf/wkt";
import type { Service } from "@roundtrip/contract";
import {
  EchoResponseSchema,
  type EchoRequest,
} from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import type { Values } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/values_pb";
import { conformanceContract } from "@roundtrip/conformance";
import { serviceOf } from "@roundtrip/contract/service";
import { knownStack, loadServe, serveDefaults } from "@roundtrip/stacks";
import type { Spelled } from "../arbitraries/spellings.ts";
import { spelledValue } from "./spelled-value.ts";

/** A style that is written in JSON, and its request for values whose JSON is given. */
interface JsonStyle {
  readonly path: string;
  readonly body: (values: string) => string;
  /** Whether its own scalar takes other spellings, by its nature. */
  readonly isBeyond: (spelled: Spelled) => boolean;
}

const mutation = "mutation m($input: EchoInput!) { echo(input: $input) { values { tree { label } } } }";

const styles: Readonly<Record<string, JsonStyle>> = {
  rest: {
    path: "/v1/values:echo",
    body: (values) => `{"values":${values}}`,
    isBeyond: () => false,
  },
  graphql: {
    path: "",
    body: (values) => `{"query":${JSON.stringify(mutation)},"variables":{"input":{"values":${values}}}}`,
    // GraphQL's own Int is a number and never text.
    isBeyond: ({ field, isText }) => field === "scalars.int32Value" && isText,
  },
};

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

async function servedIn(stackName: string, style: JsonStyle, service: Service) {
  return { stackName, style, server: await (await loadServe(stackName))(service, serveDefaults) };
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
  const service = serviceOf(
    conformanceContract(),
    new Map([["roundtrip.conformance.v1.ConformanceService.Echo", echo]]),
  );
  const served = await Promise.all(
    stacks.flatMap((stackName) => {
      const style = styles[knownStack(stackName).style];
      return style === undefined ? [] : [servedIn(stackName, style, service)];
    }),
  );
  return {
    async differencesOn(spelled) {
      const { field, text, isText } = spelled;
      const [group = "", name = ""] = field.split(".");
      const values = `{"${group}":{"${name}":${isText ? JSON.stringify(text) : text}}}`;
      const expected = spelledValue(spelled);
      const differences: string[] = [];
      for (const { stackName, style, server } of served) {
        if (style.isBeyond(spelled)) continue;
        heard = [];
        const init = { method: "POST", body: style.body(values), headers: { "content-type": "application/json" } };
        // oxlint-disable-next-line no-await-in-loop
        const answer = await (await fetch(`${server.url}${style.path}`, init)).text();
        const got = heard.length === 0 ? undefined : heardIn(heard[0], spelled);
        const isRefused = answer.includes('"INVALID_ARGUMENT"');
        if (got !== expected || isRefused !== (expected === undefined)) {
          differences.push(`${stackName}: heard ${got ?? "nothing"}, expected ${expected ?? "nothing"}: ${answer}`);
        }
      }
      return differences;
    },
    async close() {
      await Promise.all(served.map(({ server }) => server.close()));
    },
  };
}
