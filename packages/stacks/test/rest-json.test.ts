// ProtoJSON to the letter: what arrives is what was meant, or is refused with its reason, in a body, in a URL, and in documents of GraphQL.
import { create, type Message } from "@bufbuild/protobuf";
import { serviceOf } from "@roundtrip/contract/service";
import { describe, expect, test } from "vitest";
import { library } from "./support/library.ts";
import { graphqlStack, pairOf, restStack } from "./support/pair.ts";
import { conformanceService, operationNamed } from "./support/streams.ts";
import {
  EchoRequestSchema,
  EchoResponseSchema,
  type LookRequest,
  LookResponseSchema,
} from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { CallError } from "@roundtrip/contract";
import type { Values } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/values_pb";
import { graphqlPost } from "./support/graphql-post.ts";

const echo = conformanceService({
  echo: ({ values }) => create(EchoResponseSchema, values === undefined ? {} : { values }),
});

async function post(body: string | Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>> = {}) {
  const { server } = await pairOf(restStack, echo);
  const response = await fetch(`${server.url}/v1/values:echo`, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...headers },
  });
  return { status: response.status, text: await response.text() };
}

const large = "12345678901234567890";
const rounded = "12345678901234567000";

describe("values come back as they were", () => {
  test.for([
    ["an integer that no double holds", '{"scalars":{"int64Value":9007199254740993}}', '"9007199254740993"'],
    ["the largest of all", '{"scalars":{"uint64Value":18446744073709551615}}', '"18446744073709551615"'],
    ["beside any JSON", `{"scalars":{"int64Value":-9007199254740993},"wellKnown":{"value":${large}}}`, `:${rounded}`],
    ["in lists", '{"lists":{"largeNumbers":[9007199254740993]}}', '["9007199254740993"]'],
    ["in maps", '{"maps":{"largeNumberByNumber":{"1":9007199254740995}}}', '"1":"9007199254740995"'],
    ["an integer of a double", `{"scalars":{"doubleValue":${large}}}`, `"doubleValue":${rounded}`],
    ["zero below zero", '{"scalars":{"doubleValue":-0,"floatValue":-0.0}}', '"doubleValue":-0,"floatValue":-0'],
    ["zero below zero in any JSON", '{"wellKnown":{"struct":{"a":-0}}}', '{"a":-0}'],
    [
      "a float",
      '{"scalars":{"floatValue":2.9},"wrappers":{"floatValue":0.1}}',
      '{"floatValue":2.9},"wrappers":{"floatValue":0.1}',
    ],
    ["no number", '{"scalars":{"doubleValue":"NaN","floatValue":"-Infinity"}}', '"NaN","floatValue":"-Infinity"'],
    ["the name of the contract", '{"scalars":{"int32_value":7}}', '"int32Value":7'],
    ["text that is not normalised", '{"scalars":{"stringValue":"e\u0301\u212b"}}', "e\u0301\u212b"],
    ["the last of two equal keys", '{"scalars":{"int32Value":1,"int32Value":2}}', '"int32Value":2'],
    ["a key that means something to JavaScript", '{"maps":{"textByText":{"__proto__":"a"}}}', '{"__proto__":"a"}'],
    ["a pair of surrogates that is escaped", String.raw`{"scalars":{"stringValue":"\ud83d\ude00"}}`, "😀"],
  ] as const)("%s", async ([, values, expected]) => {
    const { status, text } = await post(`{"values":${values}}`);
    expect([status, text]).toEqual([200, expect.stringContaining(expected)]);
  });
});

function nested(levels: number): string {
  return `{"values":{"tree":${'{"only":'.repeat(levels)}{}${"}".repeat(levels)}}}`;
}

describe("invalid ProtoJSON is INVALID_ARGUMENT", () => {
  test.for([
    ["an unknown field", '{"nosuch":1}'],
    ["half a pair of surrogates", String.raw`{"values":{"scalars":{"stringValue":"\ud83d"}}}`],
    ["half a pair of surrogates as a key", String.raw`{"values":{"maps":{"textByText":{"\ud83d":"a"}}}}`],
    ["one field under both its names", '{"values":{"scalars":{"int32Value":1,"int32_value":2}}}'],
    ["two of a oneof", '{"values":{"choice":{"text":"a","flag":true}}}'],
    ["a number that is too large", '{"values":{"scalars":{"int64Value":9223372036854775808}}}'],
    ["a double that is too large", '{"values":{"scalars":{"doubleValue":1e999}}}'],
    ["a number in any JSON that is too large", '{"values":{"wellKnown":{"struct":{"deep":[{"down":-1e999}]}}}}'],
    ["a number of too many digits", `{"values":{"wellKnown":{"value":${"9".repeat(400)}}}}`],
    ["a null in a list", '{"values":{"lists":{"numbers":[null]}}}'],
    ["an Any of a type that nobody knows", '{"values":{"wellKnown":{"any":{"@type":"type.googleapis.com/x.Y"}}}}'],
    ["messages deeper than a hundred", nested(99)],
    ["messages ages deep", nested(50_000)],
    ["large integers ages deep", nested(50_000).replace("{}", '{"label":1234567890123456789}')],
  ] as const)("%s", async ([, body]) => {
    const { status, text } = await post(body);
    expect([status, JSON.parse(text)]).toMatchObject([400, { code: "INVALID_ARGUMENT" }]);
  });

  test("messages a hundred deep are not too deep", async () => {
    expect((await post(nested(97))).status).toBe(200);
  });

  test("in UTF-16, which JSON once could be", async () => {
    const utf16 = { "content-type": "application/json; charset=utf-16" };
    expect((await post("{}", utf16)).status).toBe(415);
    expect((await post("{}", { "content-type": 'application/json; charset="UTF-8"' })).status).toBe(200);
  });

  test("a sender who prefers lenient handling has unknown fields ignored, in body and query", async () => {
    const refused = await post('{"nosuch":1}');
    expect(refused.text).toContain("Prefer: handling=lenient");
    expect(await post('{"nosuch":1}', { prefer: "handling=lenient" })).toEqual({ status: 200, text: "{}" });
    const find = library.operation("library.v1.Library.Find");
    const { server } = await pairOf(restStack, serviceOf(library, new Map([[find.id, (it: Message) => it]])));
    const ask = (prefer: string) => fetch(`${server.url}/v1/things/a?nosuch=1`, { headers: { prefer } });
    expect((await ask("respond-async")).status).toBe(400);
    expect(await (await ask("respond-async, handling=lenient")).json()).toEqual({ text: "a" });
  });
});

// What JSON would change without a word is refused, wherever in a message it stands.

const mask = { paths: ["a,b"] };
const any = { value: new Uint8Array([1]) };

test.each([
  ["grpc-js", "OK", "OK"],
  [restStack, "INVALID_ARGUMENT", "INVALID_ARGUMENT"],
  // Its masks are lists of paths.
  ["graphql-apollo", "OK", "INVALID_ARGUMENT"],
])("%s: either all of it arrives or nothing (a mask: %s, bytes of no type: %s)", async (stackName, ofMask, ofAny) => {
  const { client } = await pairOf(stackName, echo);
  const invoke = client.prepare(operationNamed("Echo"));
  const outcome = async (wellKnown: { readonly mask: typeof mask } | { readonly any: typeof any }): Promise<string> => {
    const request = create(EchoRequestSchema, { values: { wellKnown } });
    try {
      expect(await invoke(request)).toMatchObject({ values: { wellKnown } });
      return "OK";
    } catch (thrown) {
      return CallError.from(thrown).code;
    }
  };
  expect([await outcome({ mask }), await outcome({ any })]).toEqual([ofMask, ofAny]);
});

// One spelling for each value, wherever it stands: in a URL, in a document of GraphQL, in the variables of one.

let looked: LookRequest | undefined;
let echoed: Values | undefined;
const notFinite = { kind: { case: "numberValue", value: Number.NaN } } as const;
const noJson = { wellKnown: { struct: { a: [Number.NaN] }, value: notFinite } };
const lookingService = conformanceService({
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
  const { server } = await pairOf(restStack, lookingService);
  looked = undefined;
  const response = await fetch(`${server.url}/v1/values?${name}=${encodeURIComponent(value)}`);
  return { status: response.status, problem: (await response.json()) as { code?: string; detail?: string } };
}

async function askByGraphql(body: { readonly query: string; readonly variables?: unknown } | string) {
  const { server } = await pairOf(graphqlStack, lookingService);
  echoed = undefined;
  return graphqlPost(server, body);
}

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
});

test("a number that JSON lacks is an error of the handler, and never null", async () => {
  for (const field of ["struct", "value"]) {
    const query = `mutation { echo(input: { values: { tree: { label: "NaN" } } }) { values { wellKnown { ${field} } } } }`;
    // oxlint-disable-next-line no-await-in-loop
    const { errors } = await askByGraphql({ query });
    expect(errors[0]?.extensions["code"]).toBe("INTERNAL");
  }
  const { server } = await pairOf(restStack, lookingService);
  const body = '{"values":{"tree":{"label":"NaN"}}}';
  const headers = { "content-type": "application/json" };
  const { status } = await fetch(`${server.url}/v1/values:echo`, { method: "POST", body, headers });
  expect(status).toBe(500);
});
