// The servers on one port of a fake are loaded with their first request, or before, whichever comes first.
import { create } from "@bufbuild/protobuf";
import { builtInContract, type Contract } from "@roundtrip/contract";
import { connectTo, serveDefaults, type Settings } from "@roundtrip/stacks";
import { expect, it } from "vitest";
import { once } from "node:events";
import { compileContract } from "../../stacks/test/support/compile-contract.ts";
import { createFake, serveFake, type ServedFake, startFake } from "../src/index.ts";

const contract = builtInContract();
const getCustomer = contract.operation("roundtrip.v1.CustomerService.GetCustomer");
const stacks = ["rest-express", "graphql-apollo", "grpc-js", "connect-node", "json-rpc-2", "soap-node-http"];

async function serving(settings: Settings = {}): Promise<ServedFake & AsyncDisposable> {
  const servers = stacks.map((stack) => ({ name: stack, stack, port: undefined, settings }));
  const served = await serveFake(createFake({ contract }), servers, serveDefaults);
  served.shared?.begin();
  return { ...served, [Symbol.asyncDispose]: () => served.close() };
}

async function nameBy(stack: string, { urls }: ServedFake): Promise<string> {
  const client = await connectTo(stack, contract, { url: urls[stack] ?? "" });
  const answer = await client.prepare(getCustomer)(create(getCustomer.input, { id: 7 }));
  await client.close();
  return (answer as unknown as { readonly name: string }).name;
}

it("first requests of every style at once are answered", async () => {
  await using served = await serving();
  const names = await Promise.all([...stacks, ...stacks].map((stack) => nameBy(stack, served)));
  expect(new Set(names).size).toBe(1);
});

it("a new service is what servers have that are loaded later", async () => {
  await using served = await serving();
  const before = await nameBy("rest-express", served);
  await served.replace(createFake({ contract, seed: 2 }).service);
  const names = await Promise.all(stacks.map((stack) => nameBy(stack, served)));
  expect(new Set(names).size).toBe(1);
  expect(names[0]).not.toBe(before);
});

it("a fake closes before a server has been loaded", async () => {
  const served = await serving();
  await served.close();
  await expect(nameBy("rest-express", served)).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

it("a server that cannot start answers with why", async () => {
  await using served = await serving({ dialct: "google" });
  const answer = await fetch(`${served.urls["rest-express"]}/v1/customers/7`);
  expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining("dialct")]);
  await expect(nameBy("grpc-js", served)).rejects.toMatchObject({ code: "INTERNAL" });
  await expect(served.start("all")).rejects.toThrow("dialct");
});

const shop = (path: string): string => `syntax = "proto3";
package shop.v1;
import "google/api/annotations.proto";
service Shop {
  rpc GetOrder(Order) returns (Order) { option (google.api.http) = { get: "/v1/orders" }; }
  rpc GetCart(Order) returns (Order) { option (google.api.http) = { get: "${path}" }; }
}
message Order { string item = 1; }
`;

it("a style that cannot serve the contract is left out, and answers with why", async () => {
  const fine = compileContract(shop("/v1/carts"));
  const { bindings } = fine.operation("shop.v1.Shop.GetOrder");
  // No contract of files has this: of two equal routes, one is ignored.
  const sharing: Contract = { ...fine, operations: fine.operations.map((each) => ({ ...each, bindings })) };
  const warned = once(process, "warning");
  await using fake = await startFake(sharing);
  const why = "GET /v1/orders is the route of both shop.v1.Shop.GetOrder and shop.v1.Shop.GetCart";
  expect(await warned).toMatchObject([{ name: "StyleWarning", message: `rest-express is left out: ${why}` }]);
  const answerOfRest = async (): Promise<readonly [number, string]> => {
    const answer = await fetch(`${fake.urls["rest-express"]}/v1/orders`);
    return [answer.status, await answer.text()];
  };
  const others = Object.keys(fake.urls).filter((name) => name !== "rest-express");
  const answerOthers = async (): Promise<void> => {
    for (const stack of others) {
      const operation = fake.fake.contract.operation("shop.v1.Shop.GetOrder");
      // oxlint-disable-next-line no-await-in-loop
      const client = await connectTo(stack, fake.fake.contract, { url: fake.urls[stack] ?? "" });
      // oxlint-disable-next-line no-await-in-loop
      const answer = await client.prepare(operation)(create(operation.input));
      expect(answer).toMatchObject({ item: expect.any(String) as string });
      // oxlint-disable-next-line no-await-in-loop
      await client.close();
    }
  };
  expect(others).toHaveLength(5);
  expect(await answerOfRest()).toEqual([500, `${why}\n`]);
  await answerOthers();
  await fake.replace({ contract: fine });
  expect((await answerOfRest())[0]).toBe(200);
  await fake.replace({ contract: sharing });
  expect(await answerOfRest()).toEqual([500, `${why}\n`]);
  await answerOthers();
  await fake.replace({ contract: fine });
  expect((await answerOfRest())[0]).toBe(200);
});

it("a contract's own paths come before those of styles", async () => {
  await using fake = await startFake(compileContract(shop("/rpc/carts")));
  const answer = await fetch(`${fake.urls["rest-express"]}/rpc/carts`);
  expect(await answer.json()).toMatchObject({ item: expect.any(String) as string });
});
