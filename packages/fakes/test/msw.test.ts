// A fake behind msw: fetch of this process is answered without a port.
import { builtInContract, typedClient } from "@roundtrip/contract";
import { CustomerService } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { setupServer } from "msw/node";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { faultPresets, startFake } from "../src/index.ts";
import { mswHandlers } from "../src/msw.ts";

const fake = await startFake(builtInContract(), { stacks: [] });
const server = setupServer(
  ...mswHandlers(fake, "https://api.example"),
  ...mswHandlers(fake, "https://shop.example/api/"),
);

beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
beforeEach(() => fake.reset());
afterAll(async () => {
  server.close();
  await fake.close();
});

async function json(url: string, init?: RequestInit): Promise<readonly [status: number, body: unknown]> {
  const response = await fetch(url, init);
  const text = await response.text();
  return [response.status, text === "" ? undefined : JSON.parse(text)];
}

const ofGraphql = (query: string): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ query }),
});

const create = (body: string): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body,
});

it("REST and GraphQL answer with the state of the fake", async () => {
  const client = typedClient(CustomerService, await fake.connect("memory"));
  const { name } = await client.getCustomer({ id: 7 });
  expect(await json("https://api.example/v1/customers/7")).toEqual([200, expect.objectContaining({ name })]);
  expect(await json("https://api.example/v1/customers/7", { method: "DELETE" })).toEqual([204, undefined]);
  const query = ofGraphql("{ customer(id: 8) { name } }");
  const { name: other } = await client.getCustomer({ id: 8 });
  expect(await json("https://api.example/graphql", query)).toEqual([200, { data: { customer: { name: other } } }]);
  await expect(client.getCustomer({ id: 7 })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

it("a base URL may have a path, and other hosts are not answered", async () => {
  expect((await json("https://shop.example/api/v1/customers/7"))[0]).toBe(200);
  await expect(fetch("https://other.example/v1/customers/7")).rejects.toThrow(/fetch/);
  await expect(fetch("https://shop.example/v1/customers/7")).rejects.toThrow(/fetch/);
});

it("a request body is read, and one that breaks a rule is refused", async () => {
  const [status, created] = await json("https://api.example/v1/customers", create('{"id":900,"name":"Ada"}'));
  expect([status, created]).toEqual([201, expect.objectContaining({ name: "Ada" })]);
  expect((await json("https://api.example/v1/customers", create('{"nam":"Ada"}')))[0]).toBe(400);
});

it("what the contract does not have is refused with the nearest operation in the log", async () => {
  const [status] = await json("https://api.example/v1/custmers/7");
  expect(status).toBe(404);
  expect(fake.log.refusals.at(-1)).toMatchObject({
    server: "msw",
    request: "GET /v1/custmers/7",
    nearest: { operation: "roundtrip.v1.CustomerService.GetCustomer" },
  });
});

it("sessions and stubs apply, and a cut connection is a network error", async () => {
  const session = fake.session("cut");
  session.use({ stubs: [{ operation: "GetCustomer", response: { id: 7, name: "Ada" } }] });
  const headers = { "x-roundtrip-session": "cut" };
  expect((await json("https://api.example/v1/customers/7", { headers }))[1]).toMatchObject({ name: "Ada" });
  session.use({ stubs: [], faults: faultPresets.down });
  await expect(fetch("https://api.example/v1/customers/7", { headers })).rejects.toThrow(/fetch/);
});
