// A client that is gone in the middle of a stream takes nobody else's server along.
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { startStreaming } from "./support/start-streaming.ts";

describe.each(["grpc-js", "rest-express"])("%s", (stack) => {
  test.each(["Download", "Upload"] as const)(
    "a client that is killed in the middle of a %s leaves the server serving others",
    async (way) => {
      const server = startStreaming();
      const victim = startStreaming();
      const other = startStreaming();
      const { url } = await server.ask({ ask: "serve", stack });
      await victim.ask({ ask: "connect", stack, url });
      await other.ask({ ask: "connect", stack, url });
      void victim.ask({ ask: "stream", way, sizeBytes: 3_900_000, times: 10_000 });
      await setTimeout(100);
      await victim.kill();
      await other.ask({ ask: "stream", way, sizeBytes: 3_900_000, times: 2 });
      expect((await server.ask({ ask: "memory" })).url).toBe(url);
    },
  );
});
