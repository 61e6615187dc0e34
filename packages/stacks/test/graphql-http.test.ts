// GraphQL over HTTP: media types and status codes by the audits of its specification's authors, and what travels in headers.
import { create } from "@bufbuild/protobuf";
import { CallError, type Metadata } from "@roundtrip/contract";
import { realService, requestId, requestIdName } from "@roundtrip/service";
import { serverAudits } from "graphql-http";
import { expect, test } from "vitest";
import { loadServe, serveDefaults } from "../src/index.ts";
import { graphqlPost } from "./support/graphql-post.ts";
import { contract, graphqlStack, hello, helloService, pairOf, sayHello } from "./support/pair.ts";

const stack = graphqlStack;

test("every audit of graphql-http passes", async () => {
  const server = await (await loadServe(stack))(realService(contract), serveDefaults);
  try {
    const audits = serverAudits({ url: () => server.url });
    expect(audits.length).toBeGreaterThanOrEqual(60);
    const failed: string[] = [];
    for (const audit of audits) {
      // One after the other, as its own command does it.
      // oxlint-disable-next-line no-await-in-loop
      const result = await audit.fn();
      if (result.status !== "ok") failed.push(`${audit.id} ${audit.name}: ${result.reason}`);
    }
    expect(failed).toEqual([]);
  } finally {
    await server.close();
  }
});

test("a query may be asked by GET, a mutation may not", async () => {
  const { server } = await pairOf(stack, realService(contract));
  const get = (query: string) => fetch(`${server.url}?query=${encodeURIComponent(query)}`);
  expect(await (await get('{ sayHello(name: "you") { message } }')).json()).toEqual({
    data: { sayHello: { message: "Hello, you!" } },
  });
  const refused = await get('mutation { setCustomerName(input: { id: 1, name: "x" }) { name } }');
  expect([refused.status, refused.headers.get("allow")]).toEqual([405, "POST"]);
});

test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])(
  "what a foreign page can send unasked (%s) is not taken",
  async (type) => {
    const { server } = await pairOf(stack, realService(contract));
    const answer = await graphqlPost(server, { query: "{ __typename }" }, { "content-type": type });
    expect([answer.status, answer.data]).toEqual([415, undefined]);
  },
);

test("a body that is no UTF-8 is refused, not mended", async () => {
  const { server, client } = await pairOf(stack, realService(contract));
  const query = Buffer.from('{"query":"{ sayHello(name: \\"_\\") { message } }"}');
  query[query.indexOf("_")] = 0xff;
  const headers = { "content-type": "application/json", accept: "application/graphql-response+json" };
  const response = await fetch(server.url, { method: "POST", headers, body: query });
  expect([response.status, await response.json()]).toEqual([
    400,
    { errors: [{ message: "the body is no JSON in UTF-8", extensions: { code: "INVALID_ARGUMENT" } }] },
  ]);
  expect(await hello(client, "Zoë")).toBe("Hello, Zoë!");
});

test("a persisted query is refused as unsupported, in Apollo's words", async () => {
  const { server } = await pairOf(stack, realService(contract));
  const extensions = { persistedQuery: { version: 1, sha256Hash: "0".repeat(64) } };
  const { errors } = await graphqlPost(server, JSON.stringify({ extensions }));
  expect(errors).toMatchObject([
    {
      message: "PersistedQueryNotSupported",
      extensions: { code: "UNIMPLEMENTED", reason: "PERSISTED_QUERY_NOT_SUPPORTED" },
    },
  ]);
});

test("metadata of several calls in one document is joined, and equal values are sent once", async () => {
  const service = helloService(({ name }, { answerMetadata }) => {
    answerMetadata.set("x-name", name);
    answerMetadata.set("x-tenant", "seven");
    return name;
  });
  const { client } = await pairOf(stack, service);
  const heard: Metadata[] = [];
  const requests = ["a", "b", "a"].map((name) => create(sayHello.input, { name }));
  await client.prepareTogether(requests.map(() => sayHello))(requests, { onMetadata: (one) => heard.push(one) });
  expect(heard).toEqual([
    new Map([
      ["x-name", "a, b"],
      ["x-tenant", "seven"],
    ]),
  ]);
});

test.each([{ given: undefined }, { given: "mine" }])(
  "a document has one request id (given: $given)",
  async ({ given }) => {
    const seen: (string | undefined)[] = [];
    const service = helloService(({ name }, { answerMetadata }) => {
      seen.push(answerMetadata.get(requestIdName));
      if (name === "b") throw new CallError("ABORTED", "no");
      return name;
    });
    const { server } = await pairOf(stack, requestId()(service));
    const query = ["a", "b", "c"].map((name) => `${name}: sayHello(name: "${name}") { message }`).join(" ");
    const ask = async () => {
      const response = await fetch(server.url, {
        method: "POST",
        headers: { "content-type": "application/json", ...(given === undefined ? {} : { [requestIdName]: given }) },
        body: JSON.stringify({ query: `{ ${query} }` }),
      });
      await response.arrayBuffer();
      return response.headers.get(requestIdName);
    };
    const first = await ask();
    expect(first).toMatch(given === undefined ? /^[\da-f-]{36}$/ : /^mine$/);
    expect(seen).toEqual([first, first, first]);
    expect((await ask()) === first).toBe(given !== undefined);
  },
);
