// A server whose service is replaced while it runs: nobody is refused, nothing is lost, and what comes next is the new one's.
import { create } from "@bufbuild/protobuf";
import { CallError, type Service } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { caught, clientOf, hello, helloService, pairOf, stacksUnderTest } from "./support/pair.ts";
import { compileContract } from "./support/compile-contract.ts";

const shop = compileContract(`
syntax = "proto3";
package shop.v1;
service Shop { rpc Buy(Order) returns (Order); }
message Order { string item = 1; }
`);
const [buy] = shop.operations;
if (buy === undefined) throw new Error("the contract has an operation");
const orderOf = (item: string) => create(buy.input, { item });
const shopService = serviceOf(shop, new Map([[buy.id, () => orderOf("bought")]]));

/** A value whose member of this name cannot be read. */
function unreadable<T extends object>(value: T, name: keyof T): T {
  return new Proxy(value, {
    get(target, key) {
      if (key === name) throw new Error(`${String(name)} cannot be read`);
      return Reflect.get(target, key) as unknown;
    },
  });
}

/** Services that no server can serve, which is found at any time while a server takes them on. */
const unservable: readonly (readonly [string, () => Service])[] = [
  ["contract", () => unreadable(shopService, "contract")],
  ["operations", () => ({ ...shopService, contract: unreadable(shop, "operations") })],
  ["last operation", () => ({ ...shopService, contract: { ...shop, operations: [buy, unreadable(buy, "kind")] } })],
];

describe.each(stacksUnderTest())("$name", ({ name: stackName, style }) => {
  test("a call in flight ends with the service that it began with, the next one on the same client is the new one's", async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const before = helloService(async () => {
      begin();
      await sleep(50);
      return "before";
    });
    const { server, client } = await pairOf(stackName, before);
    const call = hello(client, "early");
    await begun;
    await server.replace(helloService(() => "after"));
    expect(await hello(client, "late")).toBe("after");
    expect(await call).toBe("before");
  });

  test("another contract takes the place of the first one, and goes again", async () => {
    const greeting = helloService(({ name }) => `Hello, ${name}!`);
    const { server, client } = await pairOf(stackName, greeting);
    await hello(client, "x");
    await server.replace(shopService);
    const { code } = await caught(hello(client, "y"));
    // What GraphQL's schema does not have is an invalid document.
    expect(["UNIMPLEMENTED", "INVALID_ARGUMENT"]).toContain(code);
    const shopper = await clientOf(stackName, shopService, { url: server.url });
    expect(await shopper.prepare(buy)(orderOf("tea"))).toMatchObject({ item: "bought" });
    await server.replace(greeting);
    expect(await hello(client, "z")).toBe("Hello, z!");
  });

  test("calls that are made all the while are answered, each by one service or the other", async () => {
    const { server, client } = await pairOf(
      stackName,
      helloService(() => "0"),
    );
    const over = new AbortController();
    const heard: string[] = [];
    const callers = Array.from({ length: 4 }, async (_, caller) => {
      for (let call = 0; !over.signal.aborted; call += 1) heard.push(await hello(client, `${caller} ${call}`));
    });
    for (let version = 1; version <= 20; version += 1) {
      await server.replace(helloService(() => String(version)));
      await hello(client, `version ${version}`);
    }
    over.abort();
    await Promise.all(callers);
    expect(heard.length).toBeGreaterThan(20);
    expect(heard.every((text) => /^\d+$/.test(text))).toBe(true);
  });

  test.for(unservable)(
    "a service whose %s cannot be read is refused, and the server keeps the one it has",
    async ([, next], { skip }) => {
      // The floor reads a contract with each call.
      skip(style === "floor");
      const { server, client } = await pairOf(
        stackName,
        helloService(() => "before"),
      );
      await expect(server.replace(next())).rejects.toThrow(/cannot be read|is the route of|is the element of/);
      expect(await hello(client, "x")).toBe("before");
      await server.replace(helloService(() => "after"));
      expect(await hello(client, "y")).toBe("after");
    },
  );

  test("a server with a replaced service closes as before", async () => {
    const { server, client } = await pairOf(
      stackName,
      helloService(() => "before"),
    );
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    await server.replace(
      helloService(async () => {
        begin();
        await sleep(30);
        throw new CallError("ABORTED", "late");
      }),
    );
    const call = caught(hello(client, "x"));
    await begun;
    await server.close();
    expect((await call).code).toBe("ABORTED");
  });
});
