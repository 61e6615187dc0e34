// gRPC servers may end a call by resetting its stream: what the caller gets depends on whether its deadline has passed.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { caught, clientOf, grpcStack, hello, helloService } from "./support/pair.ts";

const server = fork(fileURLToPath(new URL("support/resetting-process.ts", import.meta.url)));
const unserved = helloService(() => "never");
let url = "";
beforeAll(async () => {
  const [port] = (await once(server, "message")) as [number];
  url = `http://127.0.0.1:${port}`;
});
afterAll(() => server.disconnect());

test("a call that its server resets when the deadline passes is DEADLINE_EXCEEDED, whoever is faster", async () => {
  const client = await clientOf(grpcStack, unserved, { url });
  const codes: string[] = [];
  for (let calls = 0; calls < 40; calls += 1) {
    // oxlint-disable-next-line no-await-in-loop -- on a busy process the caller's timer would always be late
    codes.push((await caught(hello(client, "World", { timeoutMs: 15 }))).code);
  }
  expect(new Set(codes)).toEqual(new Set(["DEADLINE_EXCEEDED"]));
});

test("a call that its server resets before the deadline is CANCELLED", async () => {
  const client = await clientOf(grpcStack, unserved, { url });
  expect((await caught(hello(client, "World"))).code).toBe("CANCELLED");
});
