// What graphql-jit must not change: whether mercurius compiles documents or not, answers are those of every GraphQL server, and no text runs as code.
import { conformanceCases, defaultCaseLimitMs, localSubject, runConformance } from "@roundtrip/conformance";
import { builtInContract } from "@roundtrip/contract";
import { serviceSchema } from "@roundtrip/styles/graphql/server";
import { realService } from "@roundtrip/service";
import { buildSchema, parse } from "graphql";
import { describe, expect, test } from "vitest";
import { localStack } from "../src/index.ts";
import { compilableIn } from "../src/graphql/servers/mercurius/compilable.ts";
import { type GraphqlAnswer, graphqlPost } from "./support/graphql-post.ts";
import { pairOf } from "./support/pair.ts";

const stack = "graphql-mercurius";
const contract = builtInContract();
const service = realService(contract);

interface Request {
  readonly query: string;
  readonly variables?: unknown;
  readonly operationName?: string;
}

/** The answers to requests of one server, in their order: compiled from the second request of a document. */
async function compiledAnswers(requests: readonly Request[]): Promise<readonly GraphqlAnswer[]> {
  const { server } = await pairOf(stack, service, { serve: { settings: { jit: true } } });
  const answers: GraphqlAnswer[] = [];
  // oxlint-disable-next-line no-await-in-loop -- in their order
  for (const request of requests) answers.push(await graphqlPost(server, request));
  return answers;
}

const greet = "query Greet($name: String!) { sayHello(name: $name) { message } }";

test("keeps the contract with compiled documents: each conformance case passes, those of the shared server twice", async () => {
  const local = await localStack(stack, undefined);
  const subject = localSubject({
    ...local,
    serve: (served, options) => local.serve(served, { ...options, settings: { jit: true } }),
    service,
  });
  // Compiled the second time; cases with servers of their own start another one each time.
  const again = conformanceCases.filter(({ needs }) => !needs.includes("server")).map((one) => ({ ...one }));
  const cases = [...conformanceCases, ...again];
  const options = { contract, subject, cases, caseLimitMs: defaultCaseLimitMs, onResult: () => undefined };
  const failed = (await runConformance(options)).filter(({ status, level }) => status === "fail" && level !== "SHOULD");
  expect(failed).toEqual([]);
}, 300_000);

test("a literal stays text, also one that graphql-jit would read as a date", async () => {
  // graphql-jit marks dates so in the code that it writes.
  const text = "__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d0";
  const query = `{ sayHello(name: "${text}") { message } }`;
  const withDefault = `query ($name: String! = "${text}") { sayHello(name: $name) { message } }`;
  const withVariable = { query: greet, variables: { name: text } };
  const requests = [{ query }, { query: withDefault }, withVariable];
  for (const { data } of await compiledAnswers([...requests, ...requests, ...requests])) {
    expect(data).toEqual({ sayHello: { message: `Hello, ${text}!` } });
  }
});

test("invalid variables get the same error before, while and after a document is compiled", async () => {
  const wrong = { query: greet, variables: { name: 1 } };
  const right = { query: greet, variables: { name: "World" } };
  const answers = await compiledAnswers([wrong, wrong, right, wrong, right, right, wrong, { query: greet }]);
  const [first] = answers;
  expect(first).toMatchObject({ status: 400, errors: [{ message: /cannot represent a non string value: 1$/ }] });
  for (const at of [1, 3, 6]) expect(answers[at]).toEqual(first);
  for (const at of [2, 4, 5]) expect(answers[at]?.data).toEqual({ sayHello: { message: "Hello, World!" } });
  expect(answers[7]?.errors[0]?.message).toBe('Variable "$name" of required type "String!" was not provided.');
});

test("each operation of a document answers for itself", async () => {
  const query = `query A($name: String!) { a: sayHello(name: $name) { message } }
    query B($name: String!) { b: sayHello(name: $name) { message } }`;
  const ask = (operationName: string): Request => ({ query, operationName, variables: { name: "x" } });
  const answers = await compiledAnswers(["A", "A", "B", "B", "A"].map(ask));
  expect(answers.map(({ data }) => Object.keys(data as object)[0])).toEqual(["a", "a", "b", "b", "a"]);
});

test("after a mutation that fails the next one is not executed", async () => {
  const query = `mutation M($missing: DeleteCustomerInput!, $present: SetCustomerNameInput!) {
    a: deleteCustomer(input: $missing) b: setCustomerName(input: $present) { name } }`;
  const variables = { missing: { id: 121 }, present: { id: 7, name: "Renamed" } };
  const read = { query: "query N($id: Int!) { customer(id: $id) { name } }", variables: { id: 7 } };
  const [before, ...answers] = await compiledAnswers([read, { query, variables }, { query, variables }, read]);
  for (const { data, errors } of answers.slice(0, 2)) expect([data, errors.length]).toEqual([null, 1]);
  expect(answers[2]?.data).toEqual(before?.data);
});

test("a syntax tree in JSON is not a document", async () => {
  const query = JSON.stringify(parse("{ __typename }", { noLocation: true }));
  const [answer] = await compiledAnswers([{ query }]);
  expect(answer).toMatchObject({ status: 400, errors: [{ extensions: { reason: "GRAPHQL_PARSE_FAILED" } }] });
});

test("documents answer alike after others have filled the cache", async () => {
  const others = Array.from({ length: 1_100 }, (_, at) => ({ query: `${greet} # ${at}`, variables: { name: "x" } }));
  const wrong = { query: greet, variables: { name: 1 } };
  const right = { query: greet, variables: { name: "World" } };
  const answers = await compiledAnswers([right, right, wrong, ...others, right, wrong, right, wrong]);
  for (const at of [-3, -1]) expect(answers.at(at)).toEqual(answers[2]);
  for (const at of [-4, -2]) expect(answers.at(at)).toEqual(answers[0]);
});

describe("compiles", () => {
  const fieldsToCompile = compilableIn(serviceSchema(service));

  test.each([
    ["a query whose arguments are variables", greet, 3],
    ["several calls", "query ($a: Int!, $b: Int!) { c0: customer(id: $a) { id } c1: customer(id: $b) { id } }", 6],
    ["fragments", `query ($id: Int!) { customer(id: $id) { ...F } } fragment F on Customer { id name }`, 4],
    ["names of types", "{ __typename }", 1],
  ])("%s", (_what, query, fields) => {
    expect(fieldsToCompile(parse(query))).toBe(fields);
  });

  test.each([
    ["a literal", '{ sayHello(name: "x") { message } }'],
    ["a number", "{ customer(id: 1) { id } }"],
    ["a default", 'query ($name: String! = "x") { sayHello(name: $name) { message } }'],
    ["a directive", "query ($id: Int!, $is: Boolean!) { customer(id: $id) { id @skip(if: $is) } }"],
    ["an alias with an underscore", "query ($id: Int!) { a_b: customer(id: $id) { id } }"],
    ["an alias with a meaning to JavaScript", "query ($id: Int!) { __proto__: customer(id: $id) { id } }"],
    ["the schema", "{ __schema { types { name } } }"],
    ["two operations", "query A { __typename } query B { __typename }"],
    ["too many fields", `query ($id: Int!) { customer(id: $id) { ${"id ".repeat(500)} } }`],
  ])("no document with %s", (_what, query) => {
    expect(fieldsToCompile(parse(query))).toBeUndefined();
  });

  const listing = buildSchema(`type Query { a(list: L1): Int }
    ${Array.from({ length: 9 }, (_, at) => `input L${at + 1} { list: [L${at + 2}] }`).join(" ")} input L10 { a: Int }`);
  const joined = buildSchema("type Query { item: Item items: Items } type Item { sid: Int } type Items { id: Int }");
  const onPath = buildSchema("type Query { b_a: Int a: A } type A { b: Int }");

  test.each([
    ["variables with many lists in lists", listing, "query ($list: L1) { a(list: $list) }"],
    ["a type and a field that another pair spells too", joined, "{ item { sid } }"],
    ["a call that a path spells too", onPath, "{ a { b } }"],
  ])("no document of a schema with %s", (_what, schema, query) => {
    expect(compilableIn(schema)(parse(query))).toBeUndefined();
  });
});
