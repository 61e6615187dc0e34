// A fake for a test: served on stacks, called without a socket, and closed with the test.
import { type Client, type Contract, withMetadata } from "@roundtrip/contract";
import { connectTo, serveDefaults, type Settings } from "@roundtrip/stacks";
import { sessionMetadataName } from "../basics/names.ts";
import { exampleRequests } from "../examples/example-requests.ts";
import type { ReadableLog } from "../log/call-log.ts";
import { createFake, type Fake, fakeDefaults, type FakeOptions } from "./fake.ts";
import type { Reset } from "../resources/reread.ts";
import { memoryClient } from "@roundtrip/stacks/memory";
import { clientSettings, fakeStackNames, selectedStack, serveFake } from "./serve-fake.ts";
import type { OwnOptions } from "./sessions.ts";
import { stubWarnings } from "../stubs/broken-rules.ts";
import type { Stub } from "../stubs/stub-schema.ts";

export interface StartFakeOptions extends Omit<FakeOptions, "contract"> {
  /** The stacks that serve it, or their styles. Default: one of every style; those that cannot serve the contract are left out. An empty list serves it in memory only. */
  readonly stacks: readonly string[] | undefined;
  /** Default: loopback. */
  readonly host: string;
  /** The port of all stacks. Default: a free one. */
  readonly port: number;
  /** Ports of their own, by stack; 0 for a free one. */
  readonly ports: Readonly<Record<string, number>>;
  /** Serves over TLS, with a certificate for this machine that clients from {@link StartedFake.connect} trust. */
  readonly tls: boolean;
  /** By stack; the settings that the stack declares for its server. */
  readonly settings: Readonly<Record<string, Settings>>;
}

export const startFakeDefaults = {
  ...fakeDefaults,
  stacks: undefined,
  host: serveDefaults.host,
  port: 0,
  ports: {},
  tls: false,
  settings: {},
} as const satisfies StartFakeOptions;

/** What tests do with a fake, or with one of its sessions. */
interface Callable {
  readonly log: ReadableLog;
  /** A client of one of the stacks that serve the fake, by its name or style, or of `memory`, which needs no server. It is closed with the fake. */
  connect(stack: string): Promise<Client>;
}

/** One session of a running fake. */
export interface StartedSession extends Callable {
  readonly name: string;
  /**
   * Replaces the stubs or the fault plan of this session only. Its stubs take precedence over those of the fake, and its plan replaces the fake's. Throws a
   * FakeError, and changes nothing, if they do not fit.
   */
  use(own: Partial<OwnOptions>): void;
  /** Clears its calls, its resources and what it uses of its own. */
  reset(): void;
}

/** A running fake. */
export interface StartedFake extends Callable, AsyncDisposable {
  readonly fake: Fake;
  /** The URLs of the servers, by stack. */
  readonly urls: Readonly<Record<string, string>>;
  /** The certificate authority in PEM that clients trust; undefined without TLS. */
  readonly ca: string | undefined;
  /** Calls of its clients do not see other sessions. Use one for each test. */
  session(name: string): StartedSession;
  /** Clears the calls and resources of all sessions. */
  reset(): void;
  /** As {@link Fake.replace}; resolves with what sessions lost when all servers have switched. A new contract needs new clients. */
  replace(change: Parameters<Fake["replace"]>[0]): Promise<readonly Reset[]>;
  /** Closes clients, then servers. Further calls have no effect. */
  close(): Promise<void>;
}

/** Loads the certificate library on request only. */
async function certificateOf(tls: boolean) {
  if (!tls) return undefined;
  const { loopbackCertificate } = await import("@roundtrip/stacks/certificate");
  return loopbackCertificate();
}

function warnOfStyle(server: string, why: string): void {
  process.emitWarning(`${server} is left out: ${why}`, "StyleWarning");
}

/** Warns in Node's way, which `--no-warnings` silences. */
function warnOf(contract: Contract, stubs: readonly Stub[]): void {
  for (const text of stubWarnings(contract, stubs)) process.emitWarning(text, "StubWarning");
}

function sessionOf(fake: Fake, connect: StartedFake["connect"], name: string): StartedSession {
  const metadata = new Map([[sessionMetadataName, name]]);
  return {
    name,
    // Looked up each time, because replacing options may create new sessions.
    get log() {
      return fake.session(name).log;
    },
    connect: async (stack) => withMetadata(await connect(stack), metadata),
    use(own) {
      fake.session(name).use(own);
      warnOf(fake.contract, own.stubs ?? []);
    },
    reset: () => fake.reset(name),
  };
}

function bySelectedStack<T>(values: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return new Map(Object.entries(values).map(([selector, value]) => [selectedStack(selector), value]));
}

/**
 * Serves a fake. Rejects with a FakeError if stubs, faults or handlers do not fit, and with a StackError if a stack is unknown or a server cannot start.
 */
export async function startFake(contract: Contract, given: Partial<StartFakeOptions> = {}): Promise<StartedFake> {
  const options: StartFakeOptions = { ...startFakeDefaults, ...given };
  const { tls } = options;
  const stacks = options.stacks?.map(selectedStack) ?? (await fakeStackNames());
  const [ports, settings] = [bySelectedStack(options.ports), bySelectedStack(options.settings)];
  const { seed, stubs, handlers, faults, wholeUpdates, behind, forward, logLimits } = options;
  const fake = createFake({ contract, seed, stubs, handlers, faults, wholeUpdates, behind, forward, logLimits });
  warnOf(contract, stubs);
  const certificate = await certificateOf(tls);
  const servers = stacks.map((stack) => ({
    name: stack,
    stack,
    port: ports.get(stack),
    settings: settings.get(stack) ?? {},
  }));
  const serving = {
    ...serveDefaults,
    host: options.host,
    port: options.port,
    tls: certificate,
    examplesOf: async (current: Contract) => exampleRequests(current, fake.options.seed),
  };
  const isSelected = options.stacks !== undefined;
  const served = await serveFake(fake, servers, serving, isSelected ? undefined : warnOfStyle);
  await served.start(isSelected ? "all" : "usual");
  served.shared?.begin();
  const clientOf = async (selector: string): Promise<Client> => {
    if (selector === "memory") return memoryClient(() => fake.service);
    const stack = selectedStack(selector);
    const url = served.urls[stack];
    if (url === undefined) {
      throw new Error(`the fake is not served by "${selector}": use one of ${["memory", ...stacks].join(", ")}`);
    }
    return connectTo(stack, fake.contract, { url, ca: certificate?.ca, settings: clientSettings(stack, served) });
  };
  const clients: Client[] = [];
  const connect = async (stack: string): Promise<Client> => {
    const client = await clientOf(stack);
    clients.push(client);
    return client;
  };
  const closeAll = async (): Promise<void> => {
    await Promise.all(clients.map((client) => client.close()));
    await served.close();
  };
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= closeAll());
  return {
    fake,
    urls: served.urls,
    ca: certificate?.ca,
    log: fake.log,
    connect,
    session: (name) => sessionOf(fake, connect, name),
    reset: () => fake.reset(),
    async replace(change) {
      const { service } = fake;
      const { resets, undo } = fake.replace(change);
      if (fake.service === service) return resets;
      await served.replace(fake.service).catch((thrown: unknown) => {
        undo();
        throw thrown;
      });
      return resets;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
