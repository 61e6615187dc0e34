// The servers of a fake: one for each style, and one for browsers with Connect or gRPC-Web. All change together.
import type { serveFake, ServedFake } from "@roundtrip/fakes";
import type { FakeFiles, StandaloneFake } from "@roundtrip/fakes/standalone";
import { allStacks, type Settings, type Stack } from "@roundtrip/stacks";

/** The style of the server for browsers, and its name among the addresses. */
export const connectName = "connect";

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

export interface FakedStack extends Pick<Stack, "name"> {
  readonly served: Settings;
}

/** The stack of the server for browsers. */
export const stackForBrowsers =
  allStacks().find(({ style, isDefault }) => style === connectName && isDefault)?.name ?? connectName;

/** The servers of a fake on consecutive ports from the given one, or on free ones: the last is for browsers. */
export function fakeServers(
  stacks: readonly FakedStack[],
  forBrowsers: FakedStack,
  firstPort: number,
): Parameters<typeof serveFake>[1] {
  return [
    ...stacks.map(({ name, served }) => ({ name, stack: name, settings: served })),
    { name: connectName, stack: forBrowsers.name, settings: forBrowsers.served },
  ].map((server, index) => ({ ...server, port: firstPort === 0 ? 0 : firstPort + index }));
}
