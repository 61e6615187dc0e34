// Requests that are refused before they reach an operation are in the log, whatever library serves the style, with the nearest thing that exists.
import { create } from "@bufbuild/protobuf";
import { builtInContract } from "@roundtrip/contract";
import { GetCustomerRequestSchema } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { allStacks } from "@roundtrip/stacks";
import { once } from "node:events";
import { request } from "node:http";
import { createConnection } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startFake, type StartedFake } from "../src/fake/start-fake.ts";
import { customers, faultyRequests, send } from "./support/faulty-requests.ts";

/** Every server, with the default client of its style. */
const servers = [...Map.groupBy(allStacks(), ({ style, server }) => `${style} ${server}`).values()]
  .flatMap(([stack]) => (stack === undefined || stack.style === "floor" ? [] : [stack]))
  .map(({ name, style }) => ({ name, style }));

/** One of each style. */
const onePort = [...Map.groupBy(servers, ({ style }) => style).values()].flatMap(([first]) => first ?? []);

let fake: StartedFake;
let shared: StartedFake;
beforeAll(async () => {
  const names = servers.map(({ name }) => name);
  fake = await startFake(builtInContract(), {
    stacks: names,
    ports: Object.fromEntries(names.map((name) => [name, 0])),
  });
  shared = await startFake(builtInContract(), { stacks: onePort.map(({ name }) => name) });
});
afterAll(() => Promise.all([fake.close(), shared.close()]));

const loopback = expect.stringMatching(/^(?:127\.0\.0\.1|\[::1\]):\d+$/) as string;

/** A refusal is reported when its answer is written, which a caller may see earlier. */
async function reported(by = fake): Promise<void> {
  await vi.waitUntil(() => by.log.refusals.length > 0, { timeout: 30_000 });
}

it("is tested for every style", () => {
  expect(new Set(servers.map(({ style }) => style))).toEqual(new Set(Object.keys(faultyRequests)));
});

describe.each(servers)("$name", ({ name, style }) => {
  it.each(faultyRequests[style] ?? [])("reports %s", async (_title, ask, { nearest, ...expected }) => {
    fake.reset();
    await ask(fake.urls[name] ?? "");
    await reported();
    expect(fake.log.refusals).toEqual([
      expect.objectContaining({ ...expected, server: name, session: "a session", client: loopback }),
    ]);
    expect(fake.log.refusals[0]?.nearest?.address).toEqual(nearest);
    expect(fake.session("a session").log.refusals).toHaveLength(1);
    expect(fake.session("another").log.refusals).toEqual([]);
    expect(fake.log.records).toEqual([]);
  });

  it("does not report calls, even if they fail in the service", async () => {
    fake.reset();
    const client = await fake.connect(name);
    const operation = client.contract.operation(`${customers}.GetCustomer`);
    const getCustomer = client.prepare(operation);
    await getCustomer(create(GetCustomerRequestSchema, { id: 7 }));
    await getCustomer(create(GetCustomerRequestSchema, { id: 999_999 })).catch(() => undefined);
    expect(fake.log.refusals).toEqual([]);
    expect(fake.log.records).toHaveLength(2);
  });
});

describe.each(onePort)("$name on one port", ({ name, style }) => {
  it.each(faultyRequests[style] ?? [])("reports %s", async (_title, ask, { nearest, ...expected }) => {
    shared.reset();
    await ask(shared.urls[name] ?? "");
    await reported(shared);
    expect(shared.log.refusals).toEqual([
      expect.objectContaining({ ...expected, server: name, session: "a session", client: loopback }),
    ]);
    expect(shared.log.refusals[0]?.nearest?.address).toEqual(nearest);
  });
});

it("reports TLS to one port without it", async () => {
  shared.reset();
  const { hostname, port } = new URL(Object.values(shared.urls)[0] ?? "");
  const socket = createConnection(Number(port), hostname, () => socket.write("\u0016\u0003\u0001\u0002"));
  await once(socket.on("error", () => undefined).resume(), "close");
  await reported(shared);
  expect(shared.log.refusals).toMatchObject([
    { request: "a connection", client: loopback, message: expect.stringContaining("TLS") as string },
  ]);
});

describe("a connection of another protocol", () => {
  const wrote: readonly (readonly [name: string, bytes: string, message: string])[] = [
    [
      "rest-express",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      "the connection speaks HTTP/2, as gRPC does, and this server HTTP/1.1",
    ],
    [
      "rest-express",
      "\u0016\u0003\u0001\u0002",
      "the connection does not speak HTTP/1.1, or speaks TLS to a server without it",
    ],
    ["grpc-js", "GET / HTTP/1.1\r\nhost: localhost\r\n\r\n", "the connection does not speak HTTP/2, as gRPC does"],
  ];

  it.each(wrote)("to %s is reported", async (name, bytes, message) => {
    fake.reset();
    const { hostname, port } = new URL(fake.urls[name] ?? "");
    const socket = createConnection(Number(port), hostname, () => socket.write(bytes)).on("error", () => undefined);
    await once(socket.resume(), "close");
    await reported();
    expect(fake.log.refusals).toMatchObject([
      { server: name, request: "a connection", client: loopback, message, nearest: undefined },
    ]);
  });
});

it("reports a request for another machine with the message that its caller gets", async () => {
  shared.reset();
  const asked = request(`${shared.urls["rest-express"]}/v1/customers/7`, { headers: { host: "evil.example" } });
  asked.on("response", (answer) => answer.resume()).end();
  await once(asked, "response");
  await reported(shared);
  expect(shared.log.refusals).toMatchObject([
    { outcome: "PERMISSION_DENIED", message: expect.stringContaining("not for evil.example") as string },
  ]);
});

it("does not report pages, and what browsers ask before a call", async () => {
  fake.reset();
  const url = fake.urls["rest-express"] ?? "";
  await send(url, { method: "GET", path: "/docs" });
  await send(url, { method: "OPTIONS", path: "/v1/customers" });
  expect(fake.log.refusals).toEqual([]);
});
