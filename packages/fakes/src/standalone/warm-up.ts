// Calls that nobody makes: they load and compile what answers calls, before somebody waits for the first one.
import type { Contract } from "@roundtrip/contract";
import { memoryClient } from "@roundtrip/stacks/memory";
import { setImmediate as turn } from "node:timers/promises";
import { exampleRequests } from "../examples/example-requests.ts";
import { createFake } from "../fake/fake.ts";

/** Enough to run the code of gets and lists, of a contract of any size. */
const mostCalls = 10;

/** Calls a few operations of a fake of its own. Calls of others are answered in between. Ends early if the signal aborts. */
export async function warmUp(contract: Contract, seed: number, signal: AbortSignal): Promise<void> {
  const { service } = createFake({ contract, seed });
  const client = memoryClient(() => service);
  const exampleOf = exampleRequests(contract, seed);
  for (const operation of contract.operations.filter(({ kind }) => kind === "unary").slice(0, mostCalls)) {
    if (signal.aborted) break;
    const request = exampleOf(operation);
    // An operation that cannot be answered tells its callers.
    // oxlint-disable-next-line no-await-in-loop
    if (request !== undefined)
      await client
        .prepare(operation)(request)
        .catch(() => undefined);
    // oxlint-disable-next-line no-await-in-loop
    await turn();
  }
  await client.close();
}
