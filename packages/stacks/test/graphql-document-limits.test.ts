// Limits of one document, and the error that clients of either media type get beyond them.
import { describe, expect, test } from "vitest";
import { graphqlPost } from "./support/graphql-post.ts";
import { caught, graphqlStack, helloService, pairOf, sayHello } from "./support/pair.ts";
import { create } from "@bufbuild/protobuf";

const stack = graphqlStack;
const greeting = helloService(({ name }) => `Hello, ${name}!`);

function repeated(count: number, field: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => field(at)).join(" ");
}

const called = (at: number): string => `c${at}: sayHello(name: "x") { message }`;

interface Refusal {
  readonly what: string;
  readonly query: string;
  readonly message: string | RegExp;
  readonly code?: string;
}

const refusals: readonly Refusal[] = [
  {
    what: "depth",
    query: `{ __schema { types { ${"ofType { ".repeat(40)} name ${"} ".repeat(40)} } } }`,
    message: "the document is more than 30 fields deep",
  },
  {
    what: "depth far beyond that",
    query: `{ __schema { types { ${"ofType { ".repeat(1_000)} name ${"} ".repeat(1_000)} } } }`,
    message: "the document is more than 30 fields deep",
  },
  {
    what: "tokens",
    query: `{ ${"a: __typename ".repeat(7_000)} }`,
    message: /more that 20000 tokens/,
    code: "INVALID_ARGUMENT",
  },
  {
    what: "what its fragments spread to",
    query: `query { ...a } ${["ab", "bc", "cd", "de"]
      .map(([from, to]) => `fragment ${from} on Query { ${repeated(12, () => `...${to}`)} }`)
      .join(" ")} fragment e on Query { __typename }`,
    message: "the document asks for more than 20000 fields",
  },
  {
    what: "calls",
    query: `{ ${repeated(101, called)} }`,
    message: "the document has more than 100 fields at its root",
  },
  {
    what: "calls in its fragments",
    query: `{ ...all ...all ... on Query { ${called(99)} } } fragment all on Query { ${repeated(50, called)} }`,
    message: "the document has more than 100 fields at its root",
  },
  {
    what: "aliases",
    query: `{ sayHello(name: "x") { ${repeated(101, (at) => `a${at}: message`)} } }`,
    message: "the document has more than 100 aliases",
  },
  {
    what: "aliases in its fragments",
    query: `{ a: sayHello(name: "x") { ...all } b: sayHello(name: "y") { ...all } }
      fragment all on SayHelloResult { ${repeated(50, (at) => `a${at}: message`)} }`,
    message: "the document has more than 100 aliases",
  },
];

describe.each(refusals)("a document is bounded in $what", ({ query, message, code = "RESOURCE_EXHAUSTED" }) => {
  // https://github.com/graphql/graphql-over-http/blob/main/spec/GraphQLOverHTTP.md: what could be read is 200 for the older media type.
  test.each([
    { accept: "application/graphql-response+json", status: 400 },
    { accept: "application/json", status: 200 },
  ])("and refused with $status for a client that accepts $accept", async ({ accept, status }) => {
    const { server } = await pairOf(stack, greeting);
    const answer = await graphqlPost(server, { query }, { accept });
    const [error] = answer.errors;
    expect([answer.status, answer.data, error?.extensions["code"]]).toEqual([status, undefined, code]);
    expect(error?.message).toMatch(message);
  });
});

test("values inside each other in a document are the caller's fault when the server can follow them no further", async () => {
  const { server } = await pairOf(stack, greeting);
  const query = `{ sayHello(name: ${"[".repeat(9_000)}${"]".repeat(9_000)}) { message } }`;
  const { status, errors } = await graphqlPost(server, { query });
  expect([status, errors]).toEqual([
    400,
    [{ message: "the document or its variables go too deep", extensions: { code: "INVALID_ARGUMENT" } }],
  ]);
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
  const { client } = await pairOf(stack, service);
  const calls = Array.from({ length: 100 }, () => sayHello);
  const requests = calls.map(() => create(sayHello.input, { name: "x" }));
  expect(await client.prepareTogether(calls)(requests)).toHaveLength(100);
});

test("one call more is refused before any handler runs", async () => {
  let runs = 0;
  const { client } = await pairOf(
    stack,
    helloService(() => {
      runs += 1;
      return "x";
    }),
  );
  const calls = Array.from({ length: 101 }, () => sayHello);
  const requests = calls.map(() => create(sayHello.input, { name: "x" }));
  const error = await caught(client.prepareTogether(calls)(requests));
  expect([error.code, error.message, runs]).toEqual([
    "RESOURCE_EXHAUSTED",
    "the document has more than 100 fields at its root",
    0,
  ]);
});
