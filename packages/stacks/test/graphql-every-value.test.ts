// The contract of every kind of value crosses GraphQL exactly: as a mutation's input and as a query's arguments, there and back.
import { create, type Message } from "@bufbuild/protobuf";
import type { Client } from "@roundtrip/contract";
import { conformanceContract } from "@roundtrip/conformance";
import {
  type EchoRequest,
  EchoResponseSchema,
  type LookRequest,
  LookRequestSchema,
  LookResponseSchema,
} from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { serviceOf } from "@roundtrip/contract/service";
import { beforeAll, expect, test } from "vitest";
import { connectDefaults, loadConnect, loadServe, type RunningServer, serveDefaults } from "../src/index.ts";
import { caught, graphqlStack } from "./support/pair.ts";
import { graphqlPost } from "./support/graphql-post.ts";

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
  expect([error.code, error.message]).toEqual(["INVALID_ARGUMENT", 'not a value of String: "\\ud83d"']);
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
