// GraphQL over HTTP: paths, headers, errors, and several operations in one document. `pnpm outside graphql-http` runs the audits of its specification.
import { create } from "@bufbuild/protobuf";
import { builtInContract, CallError, type Metadata } from "@roundtrip/contract";
import { realService, requestId, requestIdName } from "@roundtrip/service";
import { expect, test } from "vitest";
import type { Settings } from "../src/index.ts";
import { graphqlPost } from "./support/graphql-post.ts";
import { clientOf, contract, graphqlStack, hello, helloService, pairOf, sayHello, silent } from "./support/pair.ts";
import * as pb from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { parse } from "graphql";
import { answeringServer } from "./support/wire.ts";

test("metadata of several calls in one document is joined, and equal values are sent once", async () => {
  const service = helloService(({ name }, { answerMetadata }) => {
    answerMetadata.set("x-name", name);
    answerMetadata.set("x-tenant", "seven");
    return name;
  });
  const { client } = await pairOf(graphqlStack, service);
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
    const { server } = await pairOf(graphqlStack, requestId()(service));
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

// What users of the GraphQL stack can rely on, over real sockets.

const customerOperation = (name: string) => contract.operation(`roundtrip.v1.CustomerService.${name}`);

test("an error keeps the path of the field that failed, and its neighbours are answered", async () => {
  const { server } = await pairOf(graphqlStack, realService(contract));
  const query = "{ here: customerName(id: 2) { name } gone: customerName(id: 9999) { name } }";
  const { status, data, errors } = await graphqlPost(server, { query });
  expect(status).toBe(200);
  expect(data).toEqual({ here: { name: "Customer number 2" }, gone: null });
  expect(errors).toEqual([
    expect.objectContaining({
      path: ["gone"],
      message: "there is no customer 9999",
      extensions: {
        code: "NOT_FOUND",
        reason: "CUSTOMER_NOT_FOUND",
        domain: "roundtrip.dev",
        metadata: { id: "9999" },
      },
    }),
  ]);
});

// Several operations in one GraphQL document, and what a document's text may depend on.

interface Body {
  readonly query: string;
}

/** A client of a server that keeps the bodies it gets, and answers each with a greeting. */
async function asking(stack: string, settings: Settings = {}) {
  const bodies: Body[] = [];
  const url = await answeringServer((response, body) => {
    bodies.push(JSON.parse(body) as Body);
    const data = { sayHello: { message: "Hello!" }, customer: { name: "x" } };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data }));
  });
  return { client: await clientOf(stack, silent, { url, settings }), bodies };
}

const helloQuery = "query sayHello($name: String!) { sayHello(name: $name) { message } }";

test("values travel as variables: one text for all names, one for each read mask", async () => {
  const { client, bodies } = await asking(graphqlStack);
  await hello(client, "Ada");
  await hello(client, "Grace");
  const getCustomer = client.prepare(customerOperation("GetCustomer"));
  const paths = ["vat_identification_number", "name"];
  await getCustomer(create(pb.GetCustomerRequestSchema, { id: 1, readMask: { paths } }));
  await getCustomer(create(pb.GetCustomerRequestSchema, { id: 2 }));
  expect(bodies.map(({ query }) => query)).toEqual([
    helloQuery,
    helloQuery,
    "query customer($id: Int!) { customer(id: $id) { vatIdentificationNumber name } }",
    "query customer($id: Int!) { customer(id: $id) { id name address vatIdentificationNumber mail phoneNumber } }",
  ]);
});

// What mercurius alone would answer differently from the other GraphQL servers.

const realHello = realService(builtInContract());
const greet = "query Greet($name: String!) { sayHello(name: $name) { message } }";

test("a syntax tree in JSON is not a document", async () => {
  const { server } = await pairOf("graphql-mercurius", realHello);
  const query = JSON.stringify(parse("{ __typename }", { noLocation: true }));
  const answer = await graphqlPost(server, { query });
  expect(answer).toMatchObject({ status: 400, errors: [{ extensions: { reason: "GRAPHQL_PARSE_FAILED" } }] });
});

test("documents answer alike after others have filled the cache", async () => {
  const { server } = await pairOf("graphql-mercurius", realHello);
  const right = { query: greet, variables: { name: "World" } };
  const wrong = { query: greet, variables: { name: 1 } };
  const long = "x".repeat(2 ** 13);
  const before = [await graphqlPost(server, right), await graphqlPost(server, wrong)];
  expect(before).toMatchObject([{ status: 200 }, { status: 400 }]);
  // oxlint-disable-next-line no-await-in-loop -- in their order
  for (let at = 0; at < 20; at += 1) await graphqlPost(server, { ...right, query: `${greet} # ${at} ${long}` });
  expect([await graphqlPost(server, right), await graphqlPost(server, wrong)]).toEqual(before);
});

test("a document longer than the cache is executed", async () => {
  const { server } = await pairOf("graphql-mercurius", realHello);
  const { data } = await graphqlPost(server, { query: `${greet} # ${"x".repeat(2 ** 17)}`, variables: { name: "x" } });
  expect(data).toEqual({ sayHello: { message: "Hello, x!" } });
});

test.each([
  { settings: {}, sent: { query: helloQuery, variables: { name: "you" } } },
  {
    settings: { excludeOperationName: false },
    sent: { query: helloQuery, variables: { name: "you" }, operationName: "sayHello" },
  },
])("the operation name is sent only if it is not excluded ($settings)", async ({ settings, sent }) => {
  const { client, bodies } = await asking("graphql-apollo+graphql-request", settings);
  expect(await hello(client, "you")).toBe("Hello!");
  expect(bodies).toEqual([sent]);
});
