// What users of the GraphQL stack can rely on, over real sockets.
import { create, type Message } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import * as pb from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { realService, seedCustomers } from "@roundtrip/service";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { caught } from "./support/caught.ts";
import { graphqlPost } from "./support/graphql-post.ts";
import { contract, hello, helloService } from "./support/hello.ts";
import { clientOf, pairOf } from "./support/pair.ts";
import { streamingContract } from "./support/streaming-contract.ts";
import { graphqlStack } from "./support/stacks-under-test.ts";

const stack = graphqlStack;
const customerOperation = (name: string) => contract.operation(`roundtrip.v1.CustomerService.${name}`);
const greeting = helloService(({ name }) => `Hello, ${name}!`);

describe.each([
  { over: "plain TCP", tls: false },
  { over: "TLS", tls: true },
])("over $over", ({ tls }) => {
  test("a call answers with the very values that the service gave", async () => {
    const { client } = await pairOf(stack, realService(contract), { tls });
    const answer = await client.prepare(customerOperation("GetCustomer"))(
      create(pb.GetCustomerRequestSchema, { id: 1 }),
    );
    expect(answer).toStrictEqual(seedCustomers()[0]);
  });

  test("the server's address is the endpoint", async () => {
    const { server } = await pairOf(stack, greeting, { tls });
    expect(new URL(server.url).pathname).toBe("/graphql");
  });
});

test("pages follow each other to the end", async () => {
  const { client } = await pairOf(stack, realService(contract));
  const list = client.prepare(customerOperation("ListCustomers"));
  const seen: pb.Customer[] = [];
  let pageToken = "";
  do {
    const request = create(pb.ListCustomersRequestSchema, { pageSize: 50, pageToken });
    const page = (await list(request)) as pb.ListCustomersResponse;
    seen.push(...page.customers);
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  expect(seen).toStrictEqual(seedCustomers());
});

test("customers are created, changed by a mask and deleted", async () => {
  const { client } = await pairOf(stack, realService(contract));
  const invoke = (name: string, request: Message) => client.prepare(customerOperation(name))(request);
  const customer = create(pb.CustomerSchema, { id: 1000, name: "Ada", mail: "ada@example.com" });
  expect(await invoke("CreateCustomer", create(pb.CreateCustomerRequestSchema, { customer }))).toStrictEqual(customer);
  const updateMask = { paths: ["name", "vat_identification_number"] };
  const change = create(pb.CustomerSchema, { id: 1000, vatIdentificationNumber: "GB1" });
  expect(
    await invoke("UpdateCustomer", create(pb.UpdateCustomerRequestSchema, { customer: change, updateMask })),
  ).toStrictEqual(create(pb.CustomerSchema, { id: 1000, mail: "ada@example.com", vatIdentificationNumber: "GB1" }));
  const deletion = create(pb.DeleteCustomerRequestSchema, { id: 1000 });
  expect(await invoke("DeleteCustomer", deletion)).toStrictEqual(create(customerOperation("DeleteCustomer").output));
  expect((await caught(invoke("DeleteCustomer", deletion))).code).toBe("NOT_FOUND");
});

test("a server without a path in its address is asked at /graphql", async () => {
  const { server } = await pairOf(stack, greeting);
  const client = await clientOf(stack, greeting, { url: new URL(server.url).origin });
  expect(await hello(client, "you")).toBe("Hello, you!");
});

test("the contract's rules are checked, and each broken rule is named", async () => {
  const { client } = await pairOf(stack, realService(contract));
  const customer = { id: 0, vatIdentificationNumber: "no" };
  const create1 = client.prepare(customerOperation("CreateCustomer"));
  const error = await caught(create1(create(pb.CreateCustomerRequestSchema, { customer })));
  expect(error.code).toBe("INVALID_ARGUMENT");
  expect(error.details.violations.map(({ field, reason }) => [field, reason])).toEqual([
    ["customer.id", "int32.gt"],
    ["customer.vat_identification_number", "string.pattern"],
  ]);
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

test.each([
  { what: "malformed JSON", body: "{", status: 400 },
  { what: "malformed GraphQL", body: { query: "{" }, status: 400 },
  { what: "an unknown field", body: { query: "{ nobody }" }, status: 400 },
  {
    what: "a variable of the wrong type",
    body: { query: "query q($id: Int!) { customer(id: $id) { id } }", variables: { id: "x" } },
    status: 400,
  },
  { what: "a batch", body: '[{"query":"{ __typename }"}]', status: 400 },
])("$what is the caller's fault", async ({ body, status }) => {
  const { server } = await pairOf(stack, greeting);
  const answer = await graphqlPost(server, body);
  expect(answer.status).toBe(status);
  expect(answer.errors[0]?.extensions["code"]).toBe("INVALID_ARGUMENT");
});

test("the server describes its schema to any client", async () => {
  const { server } = await pairOf(stack, greeting);
  const { data } = await graphqlPost(server, { query: "{ __schema { queryType { name } } }" });
  expect(data).toEqual({ __schema: { queryType: { name: "Query" } } });
});

test.each(["/elsewhere", "/graphql/elsewhere", "/Graphql", "/graphqls", "/"])(
  "another path than the endpoint (%s) says where the endpoint is",
  async (path) => {
    const { server } = await pairOf(stack, greeting);
    const answer = await graphqlPost({ url: server.url.replace("/graphql", path) }, { query: "{ __typename }" });
    expect([answer.status, answer.errors[0]?.message]).toEqual([404, `nothing at ${path}: GraphQL is at /graphql`]);
  },
);

test("the endpoint may end in a slash", async () => {
  const { server } = await pairOf(stack, greeting);
  const answer = await graphqlPost({ url: `${server.url}/` }, { query: "{ __typename }" });
  expect(answer.data).toEqual({ __typename: "Query" });
});

test("a server that is not GraphQL is recognised", async () => {
  const other = createServer((_request, response) => response.end("<html>hello</html>"));
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  const client = await clientOf(stack, greeting, { url: `http://127.0.0.1:${(other.address() as AddressInfo).port}` });
  const error = await caught(hello(client, "x"));
  expect([error.code, error.message]).toEqual(["UNKNOWN", "invalid GraphQL response (HTTP status 200)"]);
});

test("a read mask with a path that is no field is refused, though GraphQL could not even ask for it", async () => {
  const { client } = await pairOf(stack, greeting);
  const request = create(pb.GetCustomerRequestSchema, { id: 1, readMask: { paths: ["shoe_size"] } });
  const error = await caught(client.prepare(customerOperation("GetCustomer"))(request));
  expect([error.code, error.message]).toEqual(["INVALID_ARGUMENT", 'read_mask: Customer has no field "shoe_size"']);
});

test("operations that stream are not called as if they did not", async () => {
  const streams = streamingContract();
  const { client } = await pairOf(stack, serviceOf(streams, new Map()));
  for (const name of ["ServerStream", "ClientStream", "BidiStream"]) {
    const operation = streams.operation(`test.Streams.${name}`);
    expect((await caught(client.prepare(operation)(create(operation.input)))).code).toBe("UNIMPLEMENTED");
    expect(() => client.prepareTogether([operation])).toThrow(CallError);
  }
  const unary = streams.operation("test.Streams.Unary");
  expect((await caught(client.prepare(unary)(create(unary.input)))).message).toBe(
    "test.Streams.Unary is not implemented",
  );
});

test("handlers read the headers of the call", async () => {
  const service = helloService((_request, { metadata }) => metadata.get("x-tenant") ?? "none");
  const { server } = await pairOf(stack, service);
  const query = '{ sayHello(name: "x") { message } }';
  expect((await graphqlPost(server, { query }, { "X-Tenant": "seven" })).data).toEqual({
    sayHello: { message: "seven" },
  });
});
