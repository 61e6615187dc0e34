// Every GraphQL server library gives the same answer to the same request: status, headers, code and reason.
import { request } from "node:http";
import { realService } from "@roundtrip/service";
import { expect, test } from "vitest";
import { allStacks, type KnownStack, loadServe, serveDefaults } from "../src/index.ts";
import { contract } from "./support/pair.ts";

const newer = "application/graphql-response+json";
const json = "application/json";
const query = '{ sayHello(name: "x") { message } }';
const greet = "query Ask($name: String!) { sayHello(name: $name) { message } }";
const mutation = 'mutation { setCustomerName(input: { id: 1, name: "x" }) { name } }';

interface Sent {
  readonly what: string;
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

function posted(what: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Sent {
  return { what, body, headers };
}

function got(
  what: string,
  parameters: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Sent {
  return { what, method: "GET", path: `/graphql?${new URLSearchParams(parameters).toString()}`, headers };
}

const accepts = [
  "",
  "*/*",
  json,
  newer,
  `${newer}, ${json};q=0.9`,
  `${json};q=0.9, ${newer}`,
  "application/*",
  "text/plain",
  `${newer};q=0, */*`,
  "text/html, */*;q=0.1",
];

const documents: readonly Sent[] = [
  posted("a query", { query }),
  posted("an operation by its name", { query: `query a ${query} query b { __typename }`, operationName: "b" }),
  posted("an unknown operation", { query: `query a ${query}`, operationName: "z" }),
  posted("two operations without a name", { query: `query a ${query} query b ${query}` }),
  posted("no operation", { query: "fragment f on Query { __typename }" }),
  posted("a document that is not GraphQL", { query: "{" }),
  posted("an unknown field", { query: "{ nobody }" }),
  posted("an unknown argument", { query: '{ sayHello(name: "x", nobody: 1) { message } }' }),
  posted("a missing variable", { query: "query ($id: Int!) { customer(id: $id) { id } }" }),
  posted("a variable of another type", {
    query: "query ($id: Int!) { customer(id: $id) { id } }",
    variables: { id: "x" },
  }),
  posted("a missing resource", { query: "{ customer(id: 99999) { id } }" }),
  posted("a missing resource beside another", { query: "{ a: customer(id: 99999) { id } b: customer(id: 1) { id } }" }),
  posted("a mutation of a missing resource", {
    query: 'mutation { setCustomerName(input: { id: 99999, name: "x" }) { name } }',
  }),
  posted("a document that is too deep", { query: `{ a(b: ${"[".repeat(8_000)}${"]".repeat(8_000)}) }` }),
  posted("a document with too many fields", { query: `{ ${"__typename ".repeat(150)} }` }),
  posted("a document with too many tokens", { query: `{ ${"a ".repeat(20_001)} }` }),
  posted("introspection", { query: "{ __schema { queryType { name } } }" }),
  got("a query by GET", { query }),
  got("a mutation by GET", { query: mutation }),
  got("an invalid mutation by GET", { query: "mutation { nobody }" }),
  got("variables by GET", { query: "query ($id: Int!) { customer(id: $id) { id } }", variables: '{"id":1}' }),
];

const requests: readonly Sent[] = [
  ...documents,
  ...documents.map((sent) => ({ ...sent, what: `${sent.what}, as of old`, headers: { accept: json } })),
  ...accepts.map((accept) => posted(`a query with Accept: ${accept}`, { query }, { accept })),
  ...accepts.map((accept) => posted(`an invalid document with Accept: ${accept}`, { query: "{ nobody }" }, { accept })),
  posted("no body", undefined),
  posted("a list", [{ query }]),
  posted("text", "x"),
  posted("null", "null"),
  posted("an empty object", {}),
  posted("an empty query", { query: "" }),
  posted("a query that is null", { query: null }),
  posted("a query that is a number", { query: 1 }),
  posted("variables that are text", { query, variables: "{}" }),
  posted("variables that are a list", { query, variables: [] }),
  posted("variables that are null", { query, variables: null }),
  posted("an operation name that is a number", { query, operationName: 1 }),
  posted("an operation name that is null", { query, operationName: null }),
  posted("extensions that are text", { query, extensions: "{}" }),
  posted("extensions that are a list", { query, extensions: [] }),
  posted("unknown extensions", { query, extensions: { a: 1 } }),
  posted("a persisted query", { extensions: { persistedQuery: { version: 1, sha256Hash: "0" } } }),
  posted("a persisted query beside its text", {
    query,
    extensions: { persistedQuery: { version: 1, sha256Hash: "0" } },
  }),
  posted("unknown members", { query, id: 1 }),
  posted("another media type", { query }, { "content-type": "text/plain" }),
  posted("another charset", { query }, { "content-type": "application/json; charset=utf-16" }),
  got("no query by GET", {}),
  got("an empty query by GET", { query: "" }),
  got("empty variables by GET", { query: greet, variables: "" }),
  got("an empty operationName by GET", { query: greet, variables: '{"name":"Ada"}', operationName: "" }),
  got("empty extensions by GET", { query: greet, variables: '{"name":"Ada"}', extensions: "" }),
  got("null variables by GET", { query: greet, variables: "null" }),
  got("null extensions by GET", { query: greet, variables: '{"name":"Ada"}', extensions: "null" }),
  got("the operationName null by GET", { query: greet, operationName: "null" }),
  got("variables by GET that are text", { query: greet, variables: '"a"' }),
  got("extensions by GET that are a list", { query: greet, extensions: "[]" }),
  got("extensions by GET that are a number", { query: greet, extensions: "1" }),
  got("variables by GET that are no JSON", { query, variables: "{" }),
  got("variables by GET that are a list", { query, variables: "[]" }),
  { what: "two queries by GET", method: "GET", path: `/graphql?query=${encodeURIComponent(query)}&query=a` },
  got("a media type of a GET", { query }, { "content-type": "text/plain" }),
  got("JSON as media type of a GET", { query }, { "content-type": json }),
  { what: "PUT", method: "PUT", body: { query } },
  { what: "DELETE", method: "DELETE" },
  { what: "HEAD", method: "HEAD", path: `/graphql?query=${encodeURIComponent(query)}` },
  { what: "OPTIONS", method: "OPTIONS" },
  { what: "another path", path: "/elsewhere", body: { query } },
  { what: "a slash at the end", path: "/graphql/", body: { query } },
  { what: "a whole URL as target", path: "http://localhost/graphql", body: { query } },
  {
    what: "a whole URL as target of a GET",
    method: "GET",
    path: `http://localhost/graphql?query=${encodeURIComponent(query)}`,
  },
  { what: "a whole URL with another path", path: "http://localhost/elsewhere", body: { query } },
];

interface Result {
  readonly status: number | undefined;
  readonly headers: readonly unknown[];
  readonly data: unknown;
  readonly errors: unknown;
}

interface ErrorJson {
  readonly message: string;
  readonly path?: unknown;
  readonly extensions: { readonly code: unknown; readonly reason?: unknown };
}

function resultOf(status: number | undefined, headers: readonly unknown[], text: string): Result {
  if (text === "") return { status, headers, data: "no body", errors: undefined };
  const { data, errors } = JSON.parse(text) as { readonly data: unknown; readonly errors?: readonly ErrorJson[] };
  const described = errors?.map(({ path, extensions: { code, reason } }) => ({ path, code, reason }));
  return { status, headers, data, errors: described };
}

function answerTo(url: string, { method = "POST", path = "/graphql", headers = {}, body }: Sent): Promise<Result> {
  const bytes = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
  const type = bytes === "" ? {} : { "content-type": json };
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const options = { hostname, port, path, method, headers: { accept: newer, ...type, ...headers } };
    const sent = request(options, (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("end", () => {
        const { allow, "content-type": ofType, "cache-control": caching, "www-authenticate": how } = response.headers;
        resolve(resultOf(response.statusCode, [allow, ofType, caching, how], Buffer.concat(pieces).toString()));
      });
    });
    sent.on("error", reject);
    sent.end(bytes);
  });
}

async function answersOf(stack: string): Promise<Readonly<Record<string, Result>>> {
  const server = await (await loadServe(stack))(realService(contract), serveDefaults);
  try {
    const answers: Record<string, Result> = {};
    // One after the other, because some change what others read.
    // oxlint-disable-next-line no-await-in-loop
    for (const sent of requests) answers[sent.what] = await answerTo(server.url, sent);
    return answers;
  } finally {
    await server.close();
  }
}

const stacks = allStacks().filter(({ style }) => style === "graphql");
const reference = stacks.find(({ isDefault }) => isDefault) as KnownStack;
const others = stacks.filter(({ client, server }) => client === reference.client && server !== reference.server);
const expected = await answersOf(reference.name);

test.each(others)("$name answers each request like the default server", async ({ name }) => {
  expect(await answersOf(name)).toEqual(expected);
});

// https://github.com/graphql/graphql-over-http/blob/main/spec/GraphQLOverHTTP.md#request-parameters
test.each([
  ["an empty operationName by GET", 200, { sayHello: { message: "Hello, Ada!" } }],
  ["empty extensions by GET", 200, { sayHello: { message: "Hello, Ada!" } }],
  ["null extensions by GET", 200, { sayHello: { message: "Hello, Ada!" } }],
  ["empty variables by GET", 400, undefined],
  ["null variables by GET", 400, undefined],
  ["an empty query by GET", 400, undefined],
  ["the operationName null by GET", 400, undefined],
  ["variables by GET that are text", 400, undefined],
  ["a persisted query", 200, undefined],
  ["a mutation by GET", 405, undefined],
  ["extensions by GET that are a number", 400, undefined],
])("%s is answered with %i", (what, status, data) => {
  expect(expected[what]).toMatchObject({ status, data });
});
