// What mercurius alone would answer differently from the other GraphQL servers.
import { builtInContract } from "@roundtrip/contract";
import { realService } from "@roundtrip/service";
import { parse } from "graphql";
import { expect, test } from "vitest";
import { graphqlPost } from "./support/graphql-post.ts";
import { pairOf } from "./support/pair.ts";

const service = realService(builtInContract());
const greet = "query Greet($name: String!) { sayHello(name: $name) { message } }";

test("a syntax tree in JSON is not a document", async () => {
  const { server } = await pairOf("graphql-mercurius", service);
  const query = JSON.stringify(parse("{ __typename }", { noLocation: true }));
  const answer = await graphqlPost(server, { query });
  expect(answer).toMatchObject({ status: 400, errors: [{ extensions: { reason: "GRAPHQL_PARSE_FAILED" } }] });
});

test("documents answer alike after others have filled the cache", async () => {
  const { server } = await pairOf("graphql-mercurius", service);
  const right = { query: greet, variables: { name: "World" } };
  const wrong = { query: greet, variables: { name: 1 } };
  const before = [await graphqlPost(server, right), await graphqlPost(server, wrong)];
  expect(before).toMatchObject([{ status: 200 }, { status: 400 }]);
  // oxlint-disable-next-line no-await-in-loop -- in their order
  for (let at = 0; at < 1_100; at += 1) await graphqlPost(server, { ...right, query: `${greet} # ${at}` });
  expect([await graphqlPost(server, right), await graphqlPost(server, wrong)]).toEqual(before);
});

test("a document longer than the cache is executed", async () => {
  const { server } = await pairOf("graphql-mercurius", service);
  const { data } = await graphqlPost(server, { query: `${greet} # ${"x".repeat(2 ** 17)}`, variables: { name: "x" } });
  expect(data).toEqual({ sayHello: { message: "Hello, x!" } });
});
