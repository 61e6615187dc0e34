// Requests that are sent before earlier ones are answered: in order, one at a time, and not too many of them.
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { rawSocket } from "./support/wire.ts";
import { graphqlStack, hello, helloService, pairOf, restStack } from "./support/pair.ts";

interface Watched {
  readonly most: () => number;
  readonly names: readonly string[];
}

/** A service that takes its time, and who it has greeted. */
function slow(takesMs: number) {
  const names: string[] = [];
  let now = 0;
  let most = 0;
  const service = helloService(async ({ name }) => {
    names.push(name);
    now += 1;
    most = Math.max(most, now);
    await sleep(takesMs);
    now -= 1;
    return `Hello, ${name}!`;
  });
  const watched: Watched = { most: () => most, names };
  return { service, watched };
}

function requestsTo(url: string, count: number): string {
  const { host, pathname } = new URL(url);
  const pathOf = (at: number): string =>
    pathname === "/graphql"
      ? `/graphql?query=${encodeURIComponent(`{ sayHello(name: "n${at}") { message } }`)}`
      : `/v1/hello?name=n${at}`;
  return Array.from(
    { length: count },
    (_, at) => `GET ${pathOf(at)} HTTP/1.1\r\nhost: ${host}\r\naccept: application/json\r\n\r\n`,
  ).join("");
}

describe.each([restStack, graphqlStack])("%s", (stack) => {
  test("requests that are sent at once are answered in order, one at a time", async () => {
    const { service, watched } = slow(2);
    const { server } = await pairOf(stack, service);
    const socket = await rawSocket(server.url);
    let heard = "";
    const all = new Promise<void>((resolve) => {
      socket.on("data", (chunk: Buffer) => {
        heard += chunk.toString();
        if (heard.split("Hello, ").length - 1 === 50) resolve();
      });
    });
    socket.write(requestsTo(server.url, 50));
    await all;
    const names = Array.from({ length: 50 }, (_, at) => `n${at}`);
    expect([...heard.matchAll(/Hello, (\w+)!/g)].map(([, name]) => name)).toEqual(names);
    expect([watched.names, watched.most()]).toEqual([names, 1]);
  });

  test("pipelined requests of a caller that disconnects never begin", async () => {
    // Longer than a busy server takes to see that somebody has left.
    const { service, watched } = slow(200);
    const { server, client } = await pairOf(stack, service);
    const socket = await rawSocket(server.url);
    socket.write(requestsTo(server.url, 20));
    while (watched.names.length === 0) await sleep(1);
    socket.destroy();
    expect(await hello(client, "x")).toBe("Hello, x!");
    expect(await hello(client, "x")).toBe("Hello, x!");
    expect(watched.names).toEqual(["n0", "x", "x"]);
  });
});
