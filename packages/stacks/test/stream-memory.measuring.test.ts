// Streams take no more memory the longer they are: a server and a client in processes of their own, which the kernel keeps account of.
import { expect, test } from "vitest";
import { graphqlStack, grpcStack, restStack } from "./support/pair.ts";
import { startStreaming } from "./support/start-streaming.ts";

const sizeBytes = 3_900_000;
const mostAboveIdle = 64 * 2 ** 20;

const both = ["Download", "Upload"] as const;

test.concurrent.for([
  { stack: grpcStack, what: "downloads and uploads", methods: both },
  { stack: restStack, what: "downloads and uploads", methods: both },
  // Streams of requests are what GraphQL has no notation for.
  { stack: graphqlStack, what: "downloads", methods: ["Download"] as const },
])(
  "$stack: $what of 3.9 MB, again and again, stay within 64 MiB of idle",
  async ({ stack, methods }, { onTestFinished }) => {
    const { ask: server } = startStreaming(onTestFinished);
    const { ask: client } = startStreaming(onTestFinished);
    const { url } = await server({ ask: "serve", stack });
    await client({ ask: "connect", stack, url });
    // oxlint-disable no-await-in-loop
    // What is loaded with the first call belongs to no stream.
    for (const method of methods) await client({ ask: "stream", method, sizeBytes: 100_000, times: 3 });
    const idle = { server: await server({ ask: "memory" }), client: await client({ ask: "memory" }) };
    for (const method of methods) {
      const after = { ...idle };
      for (let time = 0; time < 20; time += 1) {
        // What one stream leaves behind is taken away, as time would do it: memory that is held stays.
        await client({ ask: "stream", method, sizeBytes, times: 1 });
        after.server = await server({ ask: "memory" });
        after.client = await client({ ask: "memory" });
      }
      for (const end of ["server", "client"] as const) {
        const above = after[end].mostResidentBytes - idle[end].residentBytes;
        expect(above, `${method}, ${end}`).toBeLessThan(mostAboveIdle);
      }
    }
    // oxlint-enable no-await-in-loop
  },
);
