// Method names with a meaning in JavaScript.
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2";
import { typedClient } from "@roundtrip/contract";
import { expect, it } from "vitest";
import { createFake } from "../src/fake/fake.ts";
import { memoryClient } from "../src/memory/memory-client.ts";
import { compileContract } from "../../stacks/test/support/compile-contract.ts";

const contract = compileContract(`
  syntax = "proto3";
  package promises.v1;
  service PromiseService { rpc Then(Promise) returns (Promise); }
  message Promise { string name = 1; }
`);

it("allows a method called then: an async function can return the client", async () => {
  const service = contract.registry.getService(
    "promises.v1.PromiseService",
  ) as unknown as GenService<GenServiceMethods>;
  const fake = createFake({ contract });
  const client = memoryClient(() => fake.service);
  const begin = async () =>
    typedClient(service, client) as unknown as Record<string, (request: object) => Promise<unknown>>;
  const { then$ } = await begin();
  expect(await then$?.({ name: "Ada" })).toMatchObject({ $typeName: "promises.v1.Promise" });
  await client.close();
});
