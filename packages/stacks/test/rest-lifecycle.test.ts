// Deadlines, headers and limits of the REST stack, seen from both sides of the socket.
import { expect, test } from "vitest";
import { abortedHandler, hello, pairOf, restStack } from "./support/pair.ts";

test("the server keeps a deadline by itself", async () => {
  const { service, reason } = abortedHandler();
  const { server } = await pairOf(restStack, service);
  const headers = { "x-request-timeout-ms": "10" };
  const response = await fetch(`${server.url}/v1/hello?name=x`, { headers });
  expect([response.status, await response.json()]).toMatchObject([504, { code: "DEADLINE_EXCEEDED" }]);
  expect((await reason).code).toBe("DEADLINE_EXCEEDED");
});
