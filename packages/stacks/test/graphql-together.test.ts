// Several operations in one GraphQL document, and what a document's text may depend on.
import { create } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";
import * as pb from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { SayHelloRequestSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { realService } from "@roundtrip/service";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { caught, clientOf, contract, graphqlStack, hello, helloService, pairOf } from "./support/pair.ts";

const stack = graphqlStack;
const operation = (name: string) => contract.operation(`roundtrip.v1.CustomerService.${name}`);
const service = realService(contract);

/** A server that writes down the bodies it gets and answers each with a greeting. */
async function listeningIn(): Promise<{ readonly url: string; readonly queries: string[] }> {
  const queries: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { query } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly query: string };
      queries.push(query);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ data: { sayHello: { message: "Hello!" }, customer: { name: "x" } } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, queries };
}

test("the first call decides even when another one fails sooner", async () => {
  const failing = helloService(async ({ name }) => {
    if (name === "slow") await sleep(20);
    throw new CallError("ABORTED", name);
  });
  const { client } = await pairOf(stack, failing);
  const sayHello = contract.operation("roundtrip.v1.HelloService.SayHello");
  const requests = ["slow", "fast"].map((name) => create(SayHelloRequestSchema, { name }));
  expect((await caught(client.prepareTogether([sayHello, sayHello])(requests))).message).toBe("slow");
});

test("queries and mutations do not mix, and a missing request is noticed", async () => {
  const { client } = await pairOf(stack, service);
  expect(() => client.prepareTogether([operation("GetCustomerName"), operation("SetCustomerName")])).toThrow(CallError);
  expect((await caught(client.prepareTogether([operation("GetCustomerName")])([]))).code).toBe("INVALID_ARGUMENT");
  expect(await client.prepareTogether([])([])).toEqual([]);
});

test("values travel as variables: one text for all names, one for each read mask", async () => {
  const { url, queries } = await listeningIn();
  const client = await clientOf(
    stack,
    helloService(() => ""),
    { url },
  );
  await hello(client, "Ada");
  await hello(client, "Grace");
  const getCustomer = client.prepare(operation("GetCustomer"));
  const paths = ["vat_identification_number", "name"];
  await getCustomer(create(pb.GetCustomerRequestSchema, { id: 1, readMask: { paths } }));
  await getCustomer(create(pb.GetCustomerRequestSchema, { id: 2 }));
  expect(queries).toEqual([
    "query sayHello($name: String!) { sayHello(name: $name) { message } }",
    "query sayHello($name: String!) { sayHello(name: $name) { message } }",
    "query customer($id: Int!) { customer(id: $id) { vatIdentificationNumber name } }",
    "query customer($id: Int!) { customer(id: $id) { id name address vatIdentificationNumber mail phoneNumber } }",
  ]);
});
