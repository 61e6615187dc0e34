// What the gRPC stack says about itself, and that it is true.
import { expect, test } from "vitest";
import { loadStack } from "../src/index.ts";
import { grpcStack, helloService, pairOf } from "./support/pair.ts";
import { streamingContract } from "./support/streaming-contract.ts";

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
