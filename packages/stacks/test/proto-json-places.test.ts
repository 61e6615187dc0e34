// One spelling for each value, wherever it stands: in a URL, in a document of GraphQL, in the variables of one.
import { create } from "@bufbuild/protobuf";
import {
  EchoResponseSchema,
  type LookRequest,
  LookResponseSchema,
} from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import type { Values } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/values_pb";
import { describe, expect, test } from "vitest";
import { graphqlPost } from "./support/graphql-post.ts";
import { graphqlStack, pairOf, restStack } from "./support/pair.ts";
import { conformanceService } from "./support/streams.ts";

let looked: LookRequest | undefined;
let echoed: Values | undefined;
const notFinite = { kind: { case: "numberValue", value: Number.NaN } } as const;
const noJson = { wellKnown: { struct: { a: [Number.NaN] }, value: notFinite } };
const service = conformanceService({
  look: (request) => {
    looked = request;
    return create(LookResponseSchema, {});
  },
  echo: ({ values }) => {
    echoed = values;
    // What JSON has no number for, where it is asked for.
    return create(EchoResponseSchema, values?.tree?.label === "NaN" ? { values: noJson } : {});
  },
});

async function askByUrl(name: string, value: string) {
  const { server } = await pairOf(restStack, service);
  looked = undefined;
  const response = await fetch(`${server.url}/v1/values?${name}=${encodeURIComponent(value)}`);
  return { status: response.status, problem: (await response.json()) as { code?: string; detail?: string } };
}

async function askByGraphql(body: { readonly query: string; readonly variables?: unknown } | string) {
  const { server } = await pairOf(graphqlStack, service);
  echoed = undefined;
  return graphqlPost(server, body);
}

const inDocument = (values: string) =>
  askByGraphql({ query: `mutation { echo(input: { values: { ${values} } }) { values { tree { label } } } }` });

const askWithScalars = (scalars: string) =>
  askByGraphql(
    `{"query":"mutation m($s: ScalarsInput!) { echo(input: { values: { scalars: $s } }) { values { tree { label } } } }","variables":{"s":${scalars}}}`,
  );

describe("in a URL", () => {
  test.for([
    ["scalars.int64Value", "1e3", (at: LookRequest) => at.scalars?.int64Value, 1000n],
    ["scalars.int64Value", "9007199254740993.0", (at: LookRequest) => at.scalars?.int64Value, 9007199254740993n],
    ["scalars.int32Value", "-0", (at: LookRequest) => at.scalars?.int32Value, 0],
    ["scalars.uint32Value", "1.5e1", (at: LookRequest) => at.scalars?.uint32Value, 15],
    ["scalars.doubleValue", "-Infinity", (at: LookRequest) => at.scalars?.doubleValue, -Infinity],
    ["scalars.floatValue", "3.4028235e38", (at: LookRequest) => at.scalars?.floatValue, 3.4028234663852886e38],
    ["scalars.colour", "1", (at: LookRequest) => at.scalars?.colour, 1],
    ["wrappers.int64Value", "1000.0", (at: LookRequest) => at.wrappers?.int64Value, 1000n],
    ["wellKnown.time", "2024-02-29T00:00:00Z", (at: LookRequest) => at.wellKnown?.time?.seconds, 1709164800n],
    ["largeNumbers", "1e3", (at: LookRequest) => at.largeNumbers[0], 1000n],
  ] as const)("%s=%s is read", async ([name, value, held, expected]) => {
    expect((await askByUrl(name, value)).status).toBe(200);
    expect(looked && held(looked)).toBe(expected);
  });

  test.for([
    ["scalars.int64Value", "0x10"],
    ["scalars.int64Value", " 5 "],
    ["scalars.int64Value", "+1"],
    ["scalars.int64Value", "01"],
    ["scalars.int32Value", "0x10"],
    ["scalars.int32Value", "0.5"],
    ["scalars.doubleValue", "0x10"],
    ["scalars.doubleValue", "1e999"],
    ["scalars.bytesValue", "A B C"],
    ["scalars.bytesValue", "=="],
    ["scalars.boolValue", "1"],
    ["scalars.colour", "0x1"],
    ["wrappers.int64Value", "0x10"],
    ["wellKnown.time", "2026-02-30T00:00:00Z"],
    ["wellKnown.time", "2026-01-01T24:00:00Z"],
    ["wellKnown.duration", "1s!"],
    ["largeNumbers", "0x10"],
  ] as const)("%s=%s is refused, and the field named", async ([name, value]) => {
    const { status, problem } = await askByUrl(name, value);
    expect([status, problem.code]).toEqual([400, "INVALID_ARGUMENT"]);
    expect(problem.detail?.toLowerCase().replaceAll("_", "")).toContain(name.toLowerCase());
    expect(looked).toBeUndefined();
  });
});

describe("in GraphQL", () => {
  test("a document's integers are taken with all of their digits", async () => {
    const { errors } = await inDocument("scalars: { int64Value: 9007199254740993, uint64Value: 18446744073709551615 }");
    expect(errors).toEqual([]);
    expect([echoed?.scalars?.int64Value, echoed?.scalars?.uint64Value]).toEqual([2n ** 53n + 1n, 2n ** 64n - 1n]);
  });

  test.for(["1.00000000000000000001", "1e-999"])("%s in a variable is a double, and no integer", async (number) => {
    expect((await askWithScalars(`{"doubleValue":${number}}`)).errors).toEqual([]);
    expect(echoed?.scalars?.doubleValue).toBe(Number(number));
    for (const name of ["int64Value", "uint64Value", "int32Value", "uint32Value", "stringValue"]) {
      // oxlint-disable-next-line no-await-in-loop
      const { errors } = await askWithScalars(`{"${name}":${number}}`);
      expect([errors[0]?.extensions["code"], echoed]).toEqual(["INVALID_ARGUMENT", undefined]);
    }
  });

  test("what stands inside any JSON may be a variable", async () => {
    const query =
      "mutation m($n: JSON) { echo(input: { values: { wellKnown: { value: { a: $n, b: 1.5 } } } }) { values { tree { label } } } }";
    expect((await askByGraphql({ query, variables: { n: "x" } })).errors).toEqual([]);
    const held = echoed?.wellKnown?.value?.kind;
    const names = held?.case === "structValue" ? Object.keys(held.value.fields) : [];
    expect(names).toEqual(["a", "b"]);
  });

  test.for([
    ['scalars: { int64Value: "0x10" }'],
    ["scalars: { int64Value: 1.5 }"],
    ["scalars: { uint32Value: -1 }"],
    ["scalars: { bytesValue: 1234 }"],
    ['scalars: { bytesValue: "A B C" }'],
    ['wellKnown: { time: "2026-02-30T00:00:00Z" }'],
    ['wellKnown: { duration: "1sx" }'],
    ["wellKnown: { struct: { a: 1e999 } }"],
    ["wellKnown: { struct: [1] }"],
    ["wellKnown: { value: [[-1e999]] }"],
    [String.raw`wellKnown: { value: "\ud800" }`],
    ["wellKnown: { any: { _: 1e999 } }"],
  ] as const)("%s is refused in a document", async ([values]) => {
    const { errors } = await inDocument(values);
    expect(errors[0]?.extensions["code"]).toBe("INVALID_ARGUMENT");
    expect(echoed).toBeUndefined();
  });
});

test("a number that JSON lacks is an error of the handler, and never null", async () => {
  for (const field of ["struct", "value"]) {
    const query = `mutation { echo(input: { values: { tree: { label: "NaN" } } }) { values { wellKnown { ${field} } } } }`;
    // oxlint-disable-next-line no-await-in-loop
    const { errors } = await askByGraphql({ query });
    expect(errors[0]?.extensions["code"]).toBe("INTERNAL");
  }
  const { server } = await pairOf(restStack, service);
  const body = '{"values":{"tree":{"label":"NaN"}}}';
  const headers = { "content-type": "application/json" };
  const { status } = await fetch(`${server.url}/v1/values:echo`, { method: "POST", body, headers });
  expect(status).toBe(500);
});
