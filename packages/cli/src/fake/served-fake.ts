// Serves a fake: a server for each style, and one for browsers with Connect or gRPC-Web. All change together.
import type { Service } from "@roundtrip/contract";
import { stackWatch, type Fake, type Stub } from "@roundtrip/fakes";
import type { FakeFiles, StandaloneFake } from "@roundtrip/fakes/standalone";
import {
  allStacks,
  loadServe,
  type ServedService,
  type ServeOptions,
  type Settings,
  type Stack,
} from "@roundtrip/stacks";

export interface ServedFake {
  /** Addresses by stack name, and `connect`. */
  readonly urls: Readonly<Record<string, string>>;
  /** Replaces the service on all servers, or on none if one cannot serve it. */
  replace(service: Service): Promise<void>;
  /** Finishes calls in flight, then closes. */
  close(): Promise<void>;
}

/** The style of the server for browsers, and its name among the addresses. */
export const connectName = "connect";

async function closeAll(servers: ReadonlyMap<string, ServedService>): Promise<void> {
  await Promise.all([...servers.values()].map((server) => server.close()));
}

/** Applies changed files everywhere, and returns stubs that no longer fit. Rejects, and restores the previous state, if a style cannot serve it. */
export async function applyToAllServers(
  change: Partial<FakeFiles>,
  standalone: StandaloneFake,
  served: ServedFake,
): Promise<readonly Stub[]> {
  const { fake, files } = standalone;
  const { service } = fake;
  const lost = standalone.takeFiles(change);
  // Stubs and faults change without a new service.
  if (fake.service === service) return lost;
  try {
    await served.replace(fake.service);
  } catch (thrown) {
    standalone.takeFiles(files);
    await served.replace(fake.service);
    throw thrown;
  }
  return lost;
}

export interface FakedStack extends Pick<Stack, "name"> {
  readonly served: Settings;
}

/** Serves on consecutive ports from the given one, or on free ones. Rejects with a StackError if a port is taken. */
export async function serveFake(fake: Fake, stacks: readonly FakedStack[], options: ServeOptions): Promise<ServedFake> {
  const servers = new Map<string, ServedService>();
  let current = fake.service;
  const portOf = (index: number): number => (options.port === 0 ? 0 : options.port + index);
  try {
    const forBrowsers = allStacks().filter(({ style, isDefault }) => style === connectName && isDefault);
    const all = [
      ...stacks.map(({ name, served }) => ({ name, stack: name, settings: served })),
      ...forBrowsers.map(({ name }) => ({ name: connectName, stack: name, settings: {} })),
    ];
    for (const [index, { name, stack, settings }] of all.entries()) {
      const serve = await loadServe(stack);
      const watch = await stackWatch(fake, stack, name);
      servers.set(name, await serve(current, { ...options, port: portOf(index), settings, watch }));
    }
  } catch (thrown) {
    await closeAll(servers);
    throw thrown;
  }
  const all = [...servers.values()];
  return {
    urls: Object.fromEntries([...servers].map(([name, { url }]) => [name, url])),
    async replace(next) {
      const outcomes = await Promise.allSettled(all.map((server) => server.replace(next)));
      const failed = outcomes.find((outcome) => outcome.status === "rejected");
      if (failed !== undefined) {
        await Promise.all(all.map((server) => server.replace(current)));
        throw failed.reason;
      }
      current = next;
    },
    close: () => closeAll(servers),
  };
}
