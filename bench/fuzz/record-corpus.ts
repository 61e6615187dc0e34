// Records what the default client of each style sends for every kind of call, for `pnpm fuzz`.
import { CallError } from "@roundtrip/contract";
import { conformanceContract } from "@roundtrip/conformance";
import { connectDefaults, loadConnect } from "@roundtrip/stacks";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { corpusFolderOf } from "./corpus-of.ts";
import { recordedCalls, type RecordedCall } from "./recorded-calls.ts";
import { recordingRelay } from "./recording-relay.ts";
import { styleStacks } from "./style-stacks.ts";
import { served, smallLimits } from "./served.ts";

/** The first call of a server is slow. */
const patient = { ...smallLimits, maxHeadersMs: 20_000, maxRequestMs: 20_000 };
const contract = conformanceContract();

async function* inTurn<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

/** The bytes that the client of the stack sends for a call; undefined if it does not support the operation. */
export async function recorded(
  stack: string,
  url: string,
  call: Omit<RecordedCall, "name">,
): Promise<Buffer | undefined> {
  const { operation, requests, metadata } = call;
  const relay = await recordingRelay(url);
  const client = await (await loadConnect(stack))(contract, { ...connectDefaults, url: relay.url });
  try {
    const [request] = requests;
    if (operation.kind === "unary" && request !== undefined) await client.prepare(operation)(request, { metadata });
    else for await (const _ of client.prepareStream(operation)(inTurn(requests), { metadata }));
    return relay.sent();
  } catch (thrown) {
    if (thrown instanceof CallError && thrown.code === "UNIMPLEMENTED") return undefined;
    throw thrown;
  } finally {
    await client.close();
    await relay.close();
  }
}

/** Records the corpus of these styles anew, each in a folder of its own. */
export async function recordCorpus(styles: readonly string[]): Promise<void> {
  for (const { name, style } of styleStacks.filter((one) => one.isDefault && styles.includes(one.style))) {
    const server = await served(name, patient);
    const folder = corpusFolderOf(style);
    mkdirSync(folder, { recursive: true });
    for (const call of recordedCalls(contract)) {
      const bytes = await recorded(name, server.url, call);
      if (bytes === undefined) continue;
      writeFileSync(join(folder, `${call.name}.bin`), bytes);
      process.stdout.write(`${style}/${call.name}.bin: ${bytes.length} bytes\n`);
    }
    await server.close();
  }
}
