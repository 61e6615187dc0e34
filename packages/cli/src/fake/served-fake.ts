// A fake on its sockets: one server for each style, one for browsers that speak Connect or gRPC-Web, and all of them change together.
import type { Service } from "@roundtrip/contract";
import type { Stub } from "@roundtrip/fakes";
import type { FakeFiles, StandaloneFake } from "@roundtrip/fakes/standalone";
import { loadServe, type ServedService, type ServeOptions, type Stack } from "@roundtrip/stacks";

export interface ServedFake {
  /** Addresses by the names of stacks, and `connect`. */
  readonly urls: Readonly<Record<string, string>>;
  /** Answers by another service from now on, on every style or, where one of them cannot serve it, on none. */
  replace(service: Service): Promise<void>;
  /** Finishes calls in flight. */
  close(): Promise<void>;
}

/** The server that browsers use for what is gRPC elsewhere. */
export const connectName = "connect";

async function closeAll(servers: ReadonlyMap<string, ServedService>): Promise<void> {
  await Promise.all([...servers.values()].map((server) => server.close()));
}

/**
 * Has a fake and its servers take what files say now; gives the stubs added by hand that no longer fit. Rejects, and goes back to what there
 * was, when a style cannot serve it.
 */
export async function takeEverywhere(
  change: Partial<FakeFiles>,
  standalone: StandaloneFake,
  served: ServedFake,
): Promise<readonly Stub[]> {
  const { fake, files } = standalone;
  const { service } = fake;
  const lost = standalone.takeFiles(change);
  // Stubs and faults change behind a service that stays.
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

/** Serves on consecutive ports from the options' on, or on free ones. Rejects with a StackError when a port is taken. */
export async function serveFake(
  service: Service,
  stacks: readonly Stack[],
  options: ServeOptions,
): Promise<ServedFake> {
  const servers = new Map<string, ServedService>();
  let current = service;
  const portOf = (index: number): number => (options.port === 0 ? 0 : options.port + index);
  try {
    for (const [index, { name }] of stacks.entries()) {
      const serve = await loadServe(name);
      servers.set(name, await serve(service, { ...options, port: portOf(index) }));
    }
    const { serveConnect } = await import("@roundtrip/fakes/connect");
    servers.set(connectName, await serveConnect(service, { ...options, port: portOf(stacks.length) }));
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
