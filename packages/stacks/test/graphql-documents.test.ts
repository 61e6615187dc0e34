// What a GraphQL document may ask for: limits of one document, the read mask that its selection is, and who may read the schema.
import { describe, expect, test } from "vitest";
import { graphqlPost } from "./support/graphql-post.ts";
import { contract, graphqlStack, helloService, pairOf, sayHello, greeting } from "./support/pair.ts";
import { create, type Message } from "@bufbuild/protobuf";
import type { Service } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { CustomerSchema, type GetCustomerRequest } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { compileContract } from "./support/compile-contract.ts";
import { bearerAuthentication, requestId } from "@roundtrip/service";
import { conformanceService } from "./support/streams.ts";

function repeated(count: number, field: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => field(at)).join(" ");
}

const called = (at: number): string => `c${at}: sayHello(name: "x") { message }`;

const spreads = ["ab", "bc", "cd", "de"].map(
  ([from, to]) => `fragment ${from} on Query { ${repeated(12, () => `...${to}`)} }`,
);
const greetings = `fragment all on Query { ${repeated(50, called)} }`;
const aliases = `fragment all on SayHelloResult { ${repeated(50, (at) => `a${at}: message`)} }`;
const nestedTypes = (levels: number): string =>
  `{ __schema { types { ${"ofType { ".repeat(levels)} name ${"} ".repeat(levels)} } } }`;

const tooMuch = "RESOURCE_EXHAUSTED";

const refusals: readonly (readonly [what: string, query: string, message: string, code?: string])[] = [
  ["depth", nestedTypes(40), "more than 30 fields deep"],
  ["depth far beyond that", nestedTypes(1_000), "more than 30 fields deep"],
  ["tokens", `{ ${"a: __typename ".repeat(7_000)} }`, "more that 20000 tokens", "INVALID_ARGUMENT"],
  [
    "what its fragments spread to",
    `query { ...a } ${spreads.join(" ")} fragment e on Query { __typename }`,
    "asks for more than 20000 fields",
  ],
  ["calls", `{ ${repeated(101, called)} }`, "more than 100 fields at its root"],
  [
    "calls in its fragments",
    `{ ...all ...all ... on Query { ${called(99)} } } ${greetings}`,
    "more than 100 fields at its root",
  ],
  ["aliases", `{ sayHello(name: "x") { ${repeated(101, (at) => `a${at}: message`)} } }`, "more than 100 aliases"],
  ["the length of an alias", `{ ${"a".repeat(201)}: sayHello(name: "x") { message } }`, "more than 200 characters"],
  ["the length of a name", `{ ${"a".repeat(2_001)} }`, "more than 2000 characters"],
  [
    "aliases in questions about the schema",
    `{ __schema { types { ${repeated(5, (at) => `a${at}: fields { name }`)} } } }`,
    "asks for the schema more than 5 times",
  ],
  ["repeated fields", `{ sayHello(name: "x") { ${"message ".repeat(200)} } }`, "repeats more than 100 fields"],
  [
    "repeated arguments",
    `{ sayHello(${repeated(300, () => `name: "x"`)}) { message } }`,
    "repeats more than 100 fields",
  ],
  [
    "pairs of fragments",
    `{ ...a0 ...b0 } ${repeated(120, (at) => `fragment a${at} on Query { ...a${at + 1} } fragment b${at} on Query { ...b${at + 1} }`)} fragment a120 on Query { __typename } fragment b120 on Query { __typename }`,
    "more than 200 fragments",
  ],
  [
    "repeated fragments",
    `{ sayHello(name: "x") { ${repeated(200, (at) => `...f${at}`)} } } ${repeated(200, (at) => `fragment f${at} on SayHelloResult { message }`)}`,
    "repeats more than 100 fields",
  ],
  [
    "questions about the schema",
    `{ ${repeated(6, (at) => `a${at}: __schema { queryType { name } }`)} }`,
    "asks for the schema more than 5 times",
  ],
  [
    "aliases in its fragments",
    `{ a: sayHello(name: "x") { ...all } b: sayHello(name: "y") { ...all } } ${aliases}`,
    "more than 100 aliases",
  ],
];

const bounded = refusals.map(([what, query, message, code = tooMuch]) => [what, query, message, code] as const);

describe.each(bounded)("a document is bounded in %s", (_what, query, message, code) => {
  // https://github.com/graphql/graphql-over-http/blob/main/spec/GraphQLOverHTTP.md: what could be read is 200 for the older media type.
  test.each([
    { accept: "application/graphql-response+json", status: 400 },
    { accept: "application/json", status: 200 },
  ])("and refused with $status for a client that accepts $accept", async ({ accept, status }) => {
    const { server } = await pairOf(graphqlStack, greeting);
    const answer = await graphqlPost(server, { query }, { accept });
    const [error] = answer.errors;
    expect([answer.status, answer.data, error?.extensions["code"]]).toEqual([status, undefined, code]);
    expect(error?.message).toContain(message);
  });
});

test("a document may make as many calls as it has aliases, and all of them run at once", async () => {
  let atOnce = 0;
  const all = Promise.withResolvers<undefined>();
  const service = helloService(async () => {
    atOnce += 1;
    if (atOnce === 100) all.resolve(undefined);
    await all.promise;
    return "x";
  });
  const { client } = await pairOf(graphqlStack, service);
  const calls = Array.from({ length: 100 }, () => sayHello);
  const requests = calls.map(() => create(sayHello.input, { name: "x" }));
  expect(await client.prepareTogether(calls)(requests)).toHaveLength(100);
});

// The selection set of a GraphQL document is the read mask that the service sees.

/** A customer service that writes down the read masks it sees. */
function watched(): { readonly service: Service; readonly masks: (readonly string[] | undefined)[] } {
  const masks: (readonly string[] | undefined)[] = [];
  const getCustomer = (request: Message): Message => {
    masks.push((request as GetCustomerRequest).readMask?.paths);
    return create(CustomerSchema, { id: 1 });
  };
  const service = serviceOf(contract, new Map([["roundtrip.v1.CustomerService.GetCustomer", getCustomer]]));
  return { service, masks };
}

const fragment = "fragment f on Customer { mail ...g } fragment g on Customer { phoneNumber }";

test.each([
  { selection: "name", mask: ["name"] },
  { selection: "vatIdentificationNumber name", mask: ["name", "vat_identification_number"] },
  { selection: "n: name name again: mail", mask: ["name", "mail"] },
  { selection: "__typename", mask: undefined },
  { selection: "...f", mask: ["mail", "phone_number"], fragment },
  { selection: "... on Customer { id } ... { name }", mask: ["id", "name"] },
  { selection: "name @skip(if: true) mail @include(if: true) id @include(if: false)", mask: ["mail"] },
  { selection: "... @include(if: false) { name } mail", mask: ["mail"] },
  { selection: "id name address mail phoneNumber vatIdentificationNumber", mask: undefined },
])("{ $selection } reads $mask", async ({ selection, mask, fragment: fragments = "" }) => {
  const { service, masks } = watched();
  const { server } = await pairOf(graphqlStack, service);
  const { errors } = await graphqlPost(server, { query: `{ customer(id: 1) { ${selection} } } ${fragments}` });
  expect(errors).toEqual([]);
  expect(masks).toEqual([mask]);
});

test("a selection that depends on variables is read anew in each call", async () => {
  const { service, masks } = watched();
  const { server } = await pairOf(graphqlStack, service);
  const query = "query q($all: Boolean!) { customer(id: 1) { id name @include(if: $all) } }";
  await graphqlPost(server, { query, variables: { all: false } });
  await graphqlPost(server, { query, variables: { all: true } });
  await graphqlPost(server, { query, variables: { all: false } });
  expect(masks).toEqual([["id"], ["id", "name"], ["id"]]);
});

test("a mask goes into single messages and ends at lists", async () => {
  const shop = compileContract(`
    syntax = "proto3";
    package shop.v1;
    import "google/protobuf/field_mask.proto";
    service Shop {
      rpc GetOrder(GetOrderRequest) returns (Order) { option idempotency_level = NO_SIDE_EFFECTS; }
    }
    message GetOrderRequest { string id = 1; google.protobuf.FieldMask read_mask = 2; }
    message Order { string id = 1; Place ship_to = 2; repeated Place stops = 3; }
    message Place { string street_name = 1; string city = 2; Place behind = 3; }
  `);
  const masks: (readonly string[] | undefined)[] = [];
  const getOrder = shop.operation("shop.v1.Shop.GetOrder");
  const answer = (request: Message): Message => {
    masks.push((request as unknown as GetCustomerRequest).readMask?.paths);
    return create(getOrder.output, { shipTo: { city: "Utrecht", streetName: "Gracht" } });
  };
  const { client, server } = await pairOf(graphqlStack, serviceOf(shop, new Map([[getOrder.id, answer]])));
  const query = '{ order(id: "1") { shipTo { streetName behind { city } } stops { city } } }';
  expect((await graphqlPost(server, { query })).errors).toEqual([]);
  const readMask = { paths: ["ship_to.city", "ship_to.behind", "stops"] };
  const order = await client.prepare(getOrder)(create(getOrder.input, { readMask }));
  expect(order).toStrictEqual(create(getOrder.output, { shipTo: { city: "Utrecht" } }));
  expect(masks).toEqual([
    ["ship_to.street_name", "ship_to.behind.city", "stops"],
    ["ship_to.city", "ship_to.behind", "stops"],
  ]);
});

// Who may read the schema where a service asks who its callers are: those whom its interceptors let through, as with gRPC's reflection.

const newer = "application/graphql-response+json";
const verify = (token: string, { id }: { readonly id: string }) => {
  if (token === "good") return "allowed";
  if (token !== "poor") return "unknown";
  return id === "grpc.reflection.v1.ServerReflection.ServerReflectionInfo" ? "forbidden" : "allowed";
};

async function guarded(service = greeting): Promise<string> {
  const { server } = await pairOf(graphqlStack, requestId()(bearerAuthentication(verify)(service)));
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
    const { server } = await pairOf(graphqlStack, greeting);
    expect((await graphqlPost(server, mistaken)).errors[0]?.message).toBe(`${refusal} Did you mean "sayHello"?`);
  });
});

test("has answers of at most 24 MiB of memory beside the first four, and calls nothing after that", async () => {
  let calls = 0;
  const service = helloService(() => {
    calls += 1;
    return "x".repeat(5_000_000);
  });
  const { server } = await pairOf(graphqlStack, service);
  const { errors } = await graphqlPost(server, { query: `{ ${repeated(100, called)} }` });
  expect([errors[0]?.path, errors[0]?.extensions["code"], calls]).toEqual([["c9"], tooMuch, 10]);
});
