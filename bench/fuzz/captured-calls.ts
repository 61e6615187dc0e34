// The bytes that the client of a stack sends for a call, captured by a relay in front of its server: fuzzers break them, and attacks begin with them.
import type { Message } from "@bufbuild/protobuf";
import { conformanceContract } from "@roundtrip/conformance";
import { CallError, type Metadata, type Operation } from "@roundtrip/contract";
import { connectDefaults, loadConnect } from "@roundtrip/stacks";
import * as fc from "fast-check";
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { samplesOf } from "./differential/sample.ts";
import type { Served } from "./served.ts";

interface CallToCapture {
  readonly operation: Operation;
  readonly requests: readonly Message[];
  readonly metadata: Metadata;
}

interface CapturingRelay {
  readonly url: string;
  /** The bytes sent so far over the first connection. */
  readonly sent: () => Buffer;
  close(): Promise<void>;
}

async function capturingRelay(url: string): Promise<CapturingRelay> {
  const { hostname, port } = new URL(url);
  const connections: Buffer[][] = [];
  const server = createServer((near) => {
    const chunks: Buffer[] = [];
    connections.push(chunks);
    const far = connect(Number(port), hostname);
    near.on("data", (chunk) => chunks.push(chunk)).on("error", () => far.destroy());
    far.on("error", () => near.destroy());
    near.pipe(far).pipe(near);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const own = new URL(url);
  own.port = String((server.address() as AddressInfo).port);
  return {
    url: own.href,
    sent: () => Buffer.concat(connections[0] ?? []),
    async close() {
      server.close();
      await once(server, "close");
    },
  };
}

const contract = conformanceContract();

/** Everything that the client sends for a call, whatever the answer; empty if it does not support the operation. */
export async function captured(stackName: string, url: string, call: CallToCapture): Promise<Buffer> {
  const { operation, requests, metadata } = call;
  const relay = await capturingRelay(url);
  const client = await (await loadConnect(stackName))(contract, { ...connectDefaults, url: relay.url });
  try {
    const [request] = requests;
    if (operation.kind === "unary" && request !== undefined) await client.prepare(operation)(request, { metadata });
    else for await (const _ of client.prepareStream(operation)(requests, { metadata }));
  } catch (thrown) {
    if (!(thrown instanceof CallError)) throw thrown;
  } finally {
    await client.close();
    await relay.close();
  }
  return relay.sent();
}

/** Enough for several calls of every operation. */
const corpusCalls = 40;

/** Calls of the stack's client with random messages and metadata. The same seed gives the same calls. */
export async function capturedCorpus({ stackName, url }: Served, seed: number): Promise<readonly Buffer[]> {
  const corpus: Buffer[] = [];
  for (const sample of fc.sample(samplesOf(contract), { seed, numRuns: corpusCalls })) {
    const bytes = await captured(stackName, url, sample);
    if (bytes.length > 0) corpus.push(bytes);
  }
  return corpus;
}
