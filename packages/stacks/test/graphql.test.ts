// What users of the GraphQL stack can rely on, over real sockets.
import { create } from "@bufbuild/protobuf";
import * as pb from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { realService } from "@roundtrip/service";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { caught, clientOf, contract, graphqlStack, hello, helloService, pairOf } from "./support/pair.ts";
import { graphqlPost } from "./support/graphql-post.ts";

const stack = graphqlStack;
const customerOperation = (name: string) => contract.operation(`roundtrip.v1.CustomerService.${name}`);
const greeting = helloService(({ name }) => `Hello, ${name}!`);

describe.each([
  { over: "plain TCP", tls: false },
  { over: "TLS", tls: true },
])("over $over", ({ tls }) => {});

test("a server without a path in its address is asked at /graphql", async () => {
  const { server } = await pairOf(stack, greeting);
  const client = await clientOf(stack, greeting, { url: new URL(server.url).origin });
  expect(await hello(client, "you")).toBe("Hello, you!");
});

test("a field that GraphQL itself insists on is in the message only", async () => {
  const { client } = await pairOf(stack, realService(contract));
  const createCustomer = client.prepare(customerOperation("CreateCustomer"));
  const error = await caught(createCustomer(create(pb.CreateCustomerRequestSchema)));
  expect([error.code, error.details.violations]).toEqual(["INVALID_ARGUMENT", []]);
  expect(error.message).toContain("customer");
});

test("an error keeps the path of the field that failed, and its neighbours are answered", async () => {
  const { server } = await pairOf(stack, realService(contract));
  const query = "{ here: customerName(id: 2) { name } gone: customerName(id: 999) { name } }";
  const { status, data, errors } = await graphqlPost(server, { query });
  expect(status).toBe(200);
  expect(data).toEqual({ here: { name: "Customer number 2" }, gone: null });
  expect(errors).toEqual([
    expect.objectContaining({
      path: ["gone"],
      message: "there is no customer 999",
      extensions: {
        code: "NOT_FOUND",
        reason: "CUSTOMER_NOT_FOUND",
        domain: "customer.roundtrip.dev",
        metadata: { id: "999" },
      },
    }),
  ]);
});

test.each(["/elsewhere", "/graphql/elsewhere", "/Graphql", "/graphqls", "/"])(
  "another path than the endpoint (%s) says where the endpoint is",
  async (path) => {
    const { server } = await pairOf(stack, greeting);
    const answer = await graphqlPost({ url: server.url.replace("/graphql", path) }, { query: "{ __typename }" });
    expect([answer.status, answer.errors[0]?.message]).toEqual([404, `nothing at ${path}: GraphQL is at /graphql`]);
  },
);

test("a server that is not GraphQL is recognised", async () => {
  const other = createServer((_request, response) => response.end("<html>hello</html>"));
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  const client = await clientOf(stack, greeting, { url: `http://127.0.0.1:${(other.address() as AddressInfo).port}` });
  const error = await caught(hello(client, "x"));
  expect([error.code, error.message]).toEqual(["UNKNOWN", "invalid GraphQL response (HTTP status 200)"]);
});
