// A client that is gone in the middle of a stream takes nobody else's server along.
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { grpcStack, restStack } from "./support/pair.ts";
import { startStreaming } from "./support/start-streaming.ts";

test.each([grpcStack, restStack])(
  "%s: a client that is killed in the middle of a download or an upload leaves the server serving others",
  async (stack) => {
    const server = startStreaming();
    const other = startStreaming();
    const { url } = await server.ask({ ask: "serve", stack });
    await other.ask({ ask: "connect", stack, url });
    for (const method of ["Download", "Upload"] as const) {
      // oxlint-disable no-await-in-loop
      const victim = startStreaming();
      await victim.ask({ ask: "connect", stack, url });
      victim.ask({ ask: "stream", method, sizeBytes: 3_900_000, times: 10_000 }).catch(() => undefined);
      await setTimeout(100);
      await victim.kill();
      await other.ask({ ask: "stream", method, sizeBytes: 3_900_000, times: 2 });
      // oxlint-enable no-await-in-loop
    }
    expect((await server.ask({ ask: "memory" })).url).toBe(url);
  },
);
