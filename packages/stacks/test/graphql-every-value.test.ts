// The contract of every kind of value crosses GraphQL exactly: as a mutation's input and as a query's arguments, there and back.
import { create, type Message, type MessageInitShape } from "@bufbuild/protobuf";
import { NullValue } from "@bufbuild/protobuf/wkt";
import type { Client } from "@roundtrip/contract";
import { conformanceContract } from "@roundtrip/conformance";
import {
  EchoRequestSchema,
  EchoResponseSchema,
  LookRequestSchema,
  LookResponseSchema,
  type EchoRequest,
  type LookRequest,
} from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import type { ValuesSchema } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/values_pb";
import { serviceOf } from "@roundtrip/contract/service";
import { beforeAll, expect, test } from "vitest";
import { connectDefaults, loadConnect, loadServe, serveDefaults, type RunningServer } from "../src/index.ts";
import { caught } from "./support/caught.ts";
import { graphqlPost } from "./support/graphql-post.ts";
import { graphqlStack } from "./support/stacks-under-test.ts";

const contract = conformanceContract();
const echo = contract.operation("roundtrip.conformance.v1.ConformanceService.Echo");
const look = contract.operation("roundtrip.conformance.v1.ConformanceService.Look");
const pick = ({ values }: EchoRequest) => (values === undefined ? {} : { values });
const service = serviceOf(
  contract,
  new Map<string, (request: Message) => Message>([
    [echo.id, (request: Message) => create(EchoResponseSchema, pick(request as EchoRequest))],
    [look.id, (request: Message) => create(LookResponseSchema, { request: request as LookRequest })],
  ]),
);

let server: RunningServer;
let client: Client;

beforeAll(async () => {
  server = await (await loadServe(graphqlStack))(service, serveDefaults);
  client = await (await loadConnect(graphqlStack))(contract, { ...connectDefaults, url: server.url });
  return async () => {
    await client.close();
    await server.close();
  };
});

type Init = MessageInitShape<typeof ValuesSchema>;

const bytes = new Uint8Array([0, 255]);
const none = new Uint8Array();
const choices = [
  { case: "text", value: "" },
  { case: "largeNumber", value: 0n },
  { case: "flag", value: false },
  { case: "data", value: none },
  { case: "colour", value: 0 },
  { case: "colour", value: -1 },
  { case: "tree", value: {} },
  { case: "time", value: { seconds: 0n, nanos: 0 } },
  { case: "nothing", value: {} },
] as const;

const cases: readonly (readonly [what: string, values: Init])[] = [
  ["nothing", {}],
  [
    "messages that are there and empty",
    { scalars: {}, presence: {}, lists: {}, maps: {}, wellKnown: {}, wrappers: {}, choice: {}, tree: {} },
  ],
  [
    "the ends of every scalar",
    {
      scalars: {
        doubleValue: -0,
        floatValue: Number.NaN,
        int32Value: -(2 ** 31),
        int64Value: -(2n ** 63n),
        uint32Value: 2 ** 32 - 1,
        uint64Value: 2n ** 64n - 1n,
        fixed32Value: 2 ** 32 - 1,
        sfixed64Value: 2n ** 63n - 1n,
        stringValue: "𝔘\u0000e\u0301",
        bytesValue: bytes,
        colour: -1,
      },
    },
  ],
  [
    "fields that were set to nothing",
    {
      presence: { number: 0, largeNumber: 0n, fraction: -0, flag: false, text: "", data: none, colour: 0 },
      wrappers: { doubleValue: -0, int64Value: 0n, boolValue: false, stringValue: "", bytesValue: none },
    },
  ],
  [
    "lists",
    {
      lists: {
        fractions: [Number.NaN, -0, Number.NEGATIVE_INFINITY],
        colours: [0, 1, -1],
        trees: [{}, { branches: [{ label: "x" }] }],
        datas: [none, bytes],
        wrappedTexts: [{ value: "" }],
      },
    },
  ],
  [
    "maps",
    {
      maps: {
        textByText: { "": "", constructor: "c" },
        largeNumberByNumber: { "-1": 2n ** 60n },
        colourByLargeNumber: { "5": 0 },
        dataByLargeNumber: { "18446744073709551615": none },
        fractionByFlag: { true: Number.POSITIVE_INFINITY, false: -0 },
        treeByText: { a: { label: "q" } },
        durationByText: { a: { seconds: -3n, nanos: -1 } },
      },
    },
  ],
  [
    "well-known types",
    {
      wellKnown: {
        struct: { a: null, b: [null, 1, -0, { c: "x", "": -0 }] },
        value: { kind: { case: "stringValue", value: "" } },
        list: {
          values: [
            { kind: { case: "nullValue", value: NullValue.NULL_VALUE } },
            { kind: { case: "numberValue", value: -0 } },
          ],
        },
        empty: {},
        mask: { paths: ["a.b_c"] },
      },
    },
  ],
  [
    "names that others use",
    {
      awkwardNames: {
        class: "a",
        constructor$: "b",
        toString$: "c",
        typeName: "d",
        with2Digits: "e",
        named: "f",
        id: "g",
        query: "h",
      },
    },
  ],
  ...choices.map((kind): readonly [string, Init] => [
    `a choice of ${kind.case}: ${kind.case === "colour" ? kind.value : "empty"}`,
    { choice: { kind } },
  ]),
];

test.each(cases)("%s", async (_, init) => {
  const sent = create(EchoRequestSchema, { values: init });
  const got = await client.prepare(echo)(sent);
  expect(got).toStrictEqual(create(EchoResponseSchema, { values: init }));
  const { scalars, presence, wellKnown, wrappers } = sent.values ?? {};
  const asked = create(LookRequestSchema, { scalars, presence, wellKnown, wrappers, optionalText: "" });
  expect(await client.prepare(look)(asked)).toStrictEqual(create(LookResponseSchema, { request: asked }));
});

const nested = (levels: number): string => `${'{"only":'.repeat(levels)}{}${"}".repeat(levels)}`;

test("messages deeper than a hundred are refused, whatever is asked back", async () => {
  const mutation = "mutation m($input: EchoInput!) { echo(input: $input) { values { tree { label } } } }";
  const post = (levels: number) =>
    graphqlPost(server, `{"query":"${mutation}","variables":{"input":{"values":{"tree":${nested(levels)}}}}}`);
  expect((await post(97)).errors).toEqual([]);
  const { errors } = await post(98);
  expect([errors[0]?.extensions["code"], errors[0]?.message]).toEqual([
    "INVALID_ARGUMENT",
    "more than 100 messages inside each other",
  ]);
});

test("an empty message is there or not: false is the same as null", async () => {
  const query =
    "mutation { echo(input: { values: { wellKnown: { empty: false }, choice: { kind: { nothing: false } } } }) { values { wellKnown { empty } choice { kind { __typename } } } } }";
  const values = { wellKnown: { empty: null }, choice: { kind: null } };
  expect((await graphqlPost(server, { query })).data).toEqual({ echo: { values } });
});

test("half of a surrogate pair is refused as what it is, also from our client", async () => {
  const error = await caught(client.prepare(look)(create(LookRequestSchema, { text: "\uD83D" })));
  expect([error.code, error.message]).toEqual(["INVALID_ARGUMENT", 'expected a value of String, got "\\ud83d"']);
});

test("a number that is larger than any double is refused in variables and in the document", async () => {
  const mutation = "mutation m($input: EchoInput!) { echo(input: $input) { values { wellKnown { struct } } } }";
  const variables = '{"input":{"values":{"wellKnown":{"struct":{"a":1e999}}}}}';
  const inVariables = await graphqlPost(server, `{"query":"${mutation}","variables":${variables}}`);
  expect(inVariables.errors[0]?.extensions["code"]).toBe("INVALID_ARGUMENT");
  const literal =
    "mutation { echo(input: { values: { scalars: { doubleValue: 1e999 } } }) { values { scalars { doubleValue } } } }";
  const inDocument = await graphqlPost(server, { query: literal });
  expect([inDocument.data, inDocument.errors[0]?.extensions["code"]]).toEqual([undefined, "INVALID_ARGUMENT"]);
});
