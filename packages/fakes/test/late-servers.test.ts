// The servers on one port of a fake are loaded with their first request, or before, whichever comes first.
import { create } from "@bufbuild/protobuf";
import { builtInContract } from "@roundtrip/contract";
import { connectTo, serveDefaults, type Settings } from "@roundtrip/stacks";
import { expect, it } from "vitest";
import { createFake, serveFake, type ServedFake } from "../src/index.ts";

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
