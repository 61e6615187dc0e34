// What the gRPC stack says about itself, and that it is true.
import { expect, test } from "vitest";
import { loadStack } from "../src/index.ts";
import { contract, helloService } from "./support/hello.ts";
import { pairOf } from "./support/pair.ts";
import { streamingContract } from "./support/streaming-contract.ts";
import { grpcStack } from "./support/stacks-under-test.ts";

const getCustomer = contract.operation("roundtrip.v1.CustomerService.GetCustomer");

const stack = await loadStack(grpcStack);
test("what the stack cannot do is declared and answered UNIMPLEMENTED; nothing of an operation is lost", async () => {
  const { client } = await pairOf(
    grpcStack,
    helloService(() => "hello"),
  );
  const streams = streamingContract();
  for (const operation of streams.operations) expect(stack.view(operation, streams).lost).toEqual([]);
  expect(() => client.prepareTogether([])).toThrow(expect.objectContaining({ code: "UNIMPLEMENTED" }));
  const ofStyle = stack.limitations.map(({ feature }) => feature).filter((feature) => feature !== "tlsResumption");
  expect(ofStyle).toEqual(["together"]);
});

test("an operation is shown as the rpc that it is", () => {
  const streams = streamingContract();
  const signatures = streams.operations.map((operation) => stack.view(operation, streams).signature);
  expect(signatures).toEqual([
    "rpc Unary(Ping) returns (google.protobuf.Empty)",
    "rpc ServerStream(Ping) returns (stream google.protobuf.Empty)",
    "rpc ClientStream(stream Ping) returns (google.protobuf.Empty)",
    "rpc BidiStream(stream Ping) returns (stream google.protobuf.Empty)",
  ]);
  expect(stack.view(getCustomer, contract).signature).toBe("rpc GetCustomer(GetCustomerRequest) returns (Customer)");
});
