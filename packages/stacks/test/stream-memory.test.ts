// Streams take no more memory the longer they are: a server and a client in processes of their own, which the kernel keeps account of.
import { describe, expect, test } from "vitest";
import { startStreaming } from "./support/start-streaming.ts";

const sizeBytes = 3_900_000;
const mostAboveIdle = 64 * 2 ** 20;

describe.each(["grpc-js", "rest-express"])("%s", (stack) => {
  test.each(["Download", "Upload"] as const)(
    "a %s of 3.9 MB, again and again, stays within 64 MiB of idle",
    async (way) => {
      const { ask: server } = startStreaming();
      const { ask: client } = startStreaming();
      const { url } = await server({ ask: "serve", stack });
      await client({ ask: "connect", stack, url });
      // What is loaded with the first call belongs to no stream.
      await client({ ask: "stream", way, sizeBytes: 100_000, times: 3 });
      const idle = { server: await server({ ask: "memory" }), client: await client({ ask: "memory" }) };
      const after = { ...idle };
      for (let time = 0; time < 20; time += 1) {
        // What one stream leaves behind is taken away, as time would do it: memory that is held stays.
        // oxlint-disable no-await-in-loop
        await client({ ask: "stream", way, sizeBytes, times: 1 });
        after.server = await server({ ask: "memory" });
        after.client = await client({ ask: "memory" });
        // oxlint-enable no-await-in-loop
      }
      for (const end of ["server", "client"] as const) {
        const above = after[end].mostResidentBytes - idle[end].residentBytes;
        expect(above).toBeLessThan(mostAboveIdle);
      }
    },
  );
});
