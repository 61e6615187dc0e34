// ProtoJSON to the letter: what arrives is what was meant, or is refused with its reason.
import { create, type Message } from "@bufbuild/protobuf";
import { serviceOf } from "@roundtrip/contract/service";
import { describe, expect, test } from "vitest";
import { library } from "./support/library.ts";
import { pairOf, restStack } from "./support/pair.ts";
import { conformanceService } from "./support/streams.ts";
import { EchoResponseSchema } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";

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

describe("values come back as they were", () => {
  test.for([
    [
      "an integer that no double holds, as a number",
      '{"scalars":{"int64Value":9007199254740993}}',
      '"9007199254740993"',
    ],
    ["the largest of all", '{"scalars":{"uint64Value":18446744073709551615}}', '"18446744073709551615"'],
    [
      "beside any JSON",
      '{"scalars":{"int64Value":-9007199254740993},"wellKnown":{"value":12345678901234567890}}',
      '"value":12345678901234567000',
    ],
    [
      "in lists and maps",
      '{"lists":{"largeNumbers":[9007199254740993]},"maps":{"largeNumberByNumber":{"1":9007199254740995}}}',
      '"1":"9007199254740995"',
    ],
    [
      "an integer of a double stays a number",
      '{"scalars":{"doubleValue":12345678901234567890}}',
      '"doubleValue":12345678901234567000',
    ],
    ["zero below zero", '{"scalars":{"doubleValue":-0,"floatValue":-0.0}}', '"doubleValue":-0,"floatValue":-0'],
    ["zero below zero in any JSON", '{"wellKnown":{"struct":{"a":-0}}}', '{"a":-0}'],
    [
      "what is no number",
      '{"scalars":{"doubleValue":"NaN","floatValue":"-Infinity"}}',
      '"NaN","floatValue":"-Infinity"',
    ],
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

test.for([
  ["a double", '{"values":{"scalars":{"doubleValue":1e999}}}'],
  ["any JSON", '{"values":{"wellKnown":{"struct":{"deep":[{"down":-1e999}]}}}}'],
  ["many digits", `{"values":{"wellKnown":{"value":${"9".repeat(400)}}}}`],
] as const)("a number that is larger than any double is refused wherever it stands: %s", async ([, body]) => {
  const { status, text } = await post(body);
  expect([status, JSON.parse(text)]).toMatchObject([
    400,
    { code: "INVALID_ARGUMENT", detail: "a number in the body is larger than any double" },
  ]);
});

test("a text that looks like a number too large is a text", async () => {
  expect(await post('{"values":{"scalars":{"stringValue":"1e999"}}}')).toEqual({
    status: 200,
    text: expect.stringContaining('"1e999"'),
  });
});
