// The stack without a network: its client calls the service in its own process. It has no address, so no registry lists it, and no command serves it.
import { loadStack } from "./registry.ts";
import type { Stack } from "./basics/stack.ts";

/** The name of the stack, of its style and of its server. */
export const inProcessName = "in-process";

const reason = "one call at a time is enough for a lower bound";

export async function inProcessStack(): Promise<Stack> {
  return {
    // Like the floor, it has neither settings nor documents.
    ...(await loadStack("floor")),
    name: inProcessName,
    style: inProcessName,
    server: inProcessName,
    client: "memory",
    title: "in process",
    role: inProcessName,
    isDefaultStyle: false,
    limitations: (["together", "serverStream", "clientStream", "bidiStream"] as const).map((feature) => ({
      feature,
      reason,
    })),
    autocannon: "it needs a server",
    deviations: [],
    view: () => ({ signature: "a function call", lost: [] }),
  };
}
