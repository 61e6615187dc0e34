// The servers of a fake, on one port or on one for each style. All change together.
import type { serveFake, ServedFake } from "@roundtrip/fakes";
import type { FakeFiles, StandaloneFake } from "@roundtrip/fakes/standalone";
import type { Settings, Stack } from "@roundtrip/stacks";

/** Applies changed files everywhere, and returns what that did in one line. Rejects, and restores the previous state, if a style cannot serve it. */
export async function applyToAllServers(
  change: Partial<FakeFiles>,
  standalone: StandaloneFake,
  served: ServedFake,
): Promise<string> {
  const { fake } = standalone;
  const { service } = fake;
  const { text, undo } = standalone.takeFiles(change);
  // Stubs and faults change without a new service.
  if (fake.service === service) return text;
  try {
    await served.replace(fake.service);
  } catch (thrown) {
    undo();
    await served.replace(fake.service);
    throw thrown;
  }
  return text;
}

export interface FakedStack {
  readonly stack: Stack;
  readonly served: Settings;
}

/** The stacks that need a port of their own: what the floor sends is no HTTP, and a port has one server of a style. */
function needPorts(stacks: readonly Stack[]): ReadonlySet<Stack> {
  const firsts = new Map(stacks.toReversed().map((stack) => [stack.style, stack]));
  return new Set(stacks.filter((stack) => stack.role === "floor" || firsts.get(stack.style) !== stack));
}

/** How many ports a fake needs, the page included. */
export function portCount(stacks: readonly Stack[], ownPorts: boolean): number {
  return 1 + (ownPorts ? stacks.length : needPorts(stacks).size);
}

/** The servers of a fake, those with a port of their own on consecutive ones from the given port, or on free ones. */
export function fakeServers(
  stacks: readonly FakedStack[],
  { port: firstPort, ownPorts }: { readonly port: number; readonly ownPorts: boolean },
): Parameters<typeof serveFake>[1] {
  const alone = needPorts(stacks.map(({ stack }) => stack));
  let next = ownPorts ? firstPort : firstPort + 1;
  return stacks.map(({ stack, served }) => {
    const server = { name: stack.name, stack: stack.name, settings: served };
    if (!ownPorts && !alone.has(stack)) return { ...server, port: undefined };
    return { ...server, port: firstPort === 0 ? 0 : next++ };
  });
}
