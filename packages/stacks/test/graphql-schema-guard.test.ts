// Who may read the schema where a service asks who its callers are: those whom its interceptors let through, as with gRPC's reflection.
import { bearerAuthentication, requestId } from "@roundtrip/service";
import { describe, expect, test } from "vitest";
import { conformanceService } from "./support/streams.ts";
import { graphqlPost } from "./support/graphql-post.ts";
import { graphqlStack, helloService, pairOf } from "./support/pair.ts";

const stack = graphqlStack;
const newer = "application/graphql-response+json";
const greeting = helloService(({ name }) => `Hello, ${name}!`);

const verify = (token: string, { id }: { readonly id: string }) => {
  if (token === "good") return "allowed";
  if (token !== "poor") return "unknown";
  return id === "grpc.reflection.v1.ServerReflection.ServerReflectionInfo" ? "forbidden" : "allowed";
};

async function guarded(service = greeting): Promise<string> {
  const { server } = await pairOf(stack, requestId()(bearerAuthentication(verify)(service)));
  return server.url;
}

const introspections = [
  { how: "introspection", accept: newer, query: "{ __schema { types { name } } }" },
  { how: "introspection of one type", accept: newer, query: '{ one: __type(name: "Query") { name } }' },
  { how: "introspection as of old", accept: "application/json", query: "{ __schema { types { name } } }" },
  {
    how: "introspection in a fragment beside a call",
    accept: newer,
    query: '{ sayHello(name: "x") { message } ...more } fragment more on Query { __type (name: "Query") { name } }',
  },
  { how: "introspection as a stream of events", accept: "text/event-stream", query: "{ __schema { types { name } } }" },
] as const;

const ask = async (url: string, token: string, init: RequestInit & { readonly accept: string }) => {
  const authorization = token === "" ? {} : { authorization: `Bearer ${token}` };
  const headers = { "content-type": "application/json", accept: init.accept, "x-request-id": "mine", ...authorization };
  const response = await fetch(url, { ...init, headers });
  const text = await response.text();
  const code = /"code":"(\w+)"/.exec(text)?.[1] ?? "none";
  return [response.status, code, response.headers.get("www-authenticate"), response.headers.get("x-request-id")];
};

function answersTo(call: (token: string) => Promise<readonly unknown[]>): Promise<readonly (readonly unknown[])[]> {
  return Promise.all(["", "bad", "poor", "good"].map(call));
}

const asCallsAre = [
  [401, "UNAUTHENTICATED", "Bearer", "mine"],
  [401, "UNAUTHENTICATED", "Bearer", "mine"],
  [403, "PERMISSION_DENIED", null, "mine"],
  [200, "none", null, "mine"],
];

describe("where a token is asked for", () => {
  test.each(introspections)("$how asks for it too, as reflection does", async ({ accept, query }) => {
    const url = await guarded(accept === "text/event-stream" ? conformanceService({}) : greeting);
    const body = JSON.stringify({ query });
    expect(await answersTo((token) => ask(url, token, { accept, method: "POST", body }))).toEqual(asCallsAre);
  });

  test("introspection by GET asks for it too", async () => {
    const url = `${await guarded()}?x=&%71uery=%7B__schema+%7Btypes%7Bname%7D%7D%7D`;
    expect(await answersTo((token) => ask(url, token, { accept: newer }))).toEqual(asCallsAre);
  });

  test("the page for people asks for it too: its examples show the schema", async () => {
    const url = await guarded();
    expect(await answersTo((token) => ask(url, token, { accept: "text/html" }))).toEqual(asCallsAre);
  });

  test("an answer still names its type, and refusals propose no names", async () => {
    const url = await guarded();
    const query = '{ __typename sayHello(name: "x") { __typename message } }';
    const { status, errors } = await graphqlPost({ url }, { query });
    expect([status, errors[0]?.path]).toEqual([200, ["sayHello"]]);
    const mistaken = { query: "{ sayHelo { message } }" };
    const refusal = 'Cannot query field "sayHelo" on type "Query".';
    expect((await graphqlPost({ url }, mistaken)).errors[0]?.message).toBe(refusal);
    const { server } = await pairOf(stack, greeting);
    expect((await graphqlPost(server, mistaken)).errors[0]?.message).toBe(`${refusal} Did you mean "sayHello"?`);
  });
});

test("without interceptors any client may read the schema", async () => {
  const { server } = await pairOf(stack, greeting);
  const { data } = await graphqlPost(server, { query: '{ __type(name: "Query") { name } }' });
  expect(data).toEqual({ __type: { name: "Query" } });
});
