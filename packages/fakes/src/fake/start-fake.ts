// A fake in a test: served on stacks, called without a socket, and gone when the test is.
import { withMetadata, type Client, type Contract } from "@roundtrip/contract";
import {
  connectDefaults,
  defaultStackNames,
  loadConnect,
  loadServe,
  loadStack,
  serveDefaults,
  type ServedService,
  type Settings,
} from "@roundtrip/stacks";
import { createFake, type Fake } from "./fake.ts";
import { fakeDefaults, type FakeOptions } from "./fake-options.ts";
import { memoryClient } from "../memory/memory-client.ts";
import type { ReadableLog } from "../recording/call-log.ts";
import { sessionMetadataName } from "../basics/session-metadata.ts";

export interface StartFakeOptions extends Omit<FakeOptions, "contract"> {
  /** Which stacks serve it; all styles unless told. None serves it in memory alone. */
  readonly stacks: readonly string[] | undefined;
  /** Loopback unless told. */
  readonly host: string;
  /** By stack; the others take free ones. */
  readonly ports: Readonly<Record<string, number>>;
  /** Serves over TLS, with a certificate for this machine that clients of {@link StartedFake.connect} trust. */
  readonly tls: boolean;
  /** By stack, of those that the stack declares for its server. */
  readonly settings: Readonly<Record<string, Settings>>;
}

export const startFakeDefaults = {
  ...fakeDefaults,
  stacks: undefined,
  host: serveDefaults.host,
  ports: {},
  tls: false,
  settings: {},
} as const satisfies StartFakeOptions;

/** What tests do with a fake, or with one session of it. */
interface Callable {
  readonly log: ReadableLog;
  /** A client of one of the stacks that serve the fake, or of `memory`, which needs none. It is closed with the fake. */
  connect(stack: string): Promise<Client>;
}

/** One session of a fake that runs. */
export interface StartedSession extends Callable {
  readonly name: string;
  /** Forgets what it was called and what it made. */
  reset(): void;
}

/** A fake that runs. */
export interface StartedFake extends Callable, AsyncDisposable {
  readonly fake: Fake;
  /** Where clients connect, by stack. */
  readonly urls: Readonly<Record<string, string>>;
  /** What clients trust the certificate by, in PEM; undefined without TLS. */
  readonly ca: string | undefined;
  /** Calls of its clients see nothing of other sessions: one for each test. */
  session(name: string): StartedSession;
  /** Forgets what all sessions were called and made. */
  reset(): void;
  /** As {@link Fake.replace}; resolves when the stacks serve what there is now. Clients of another contract are connected anew. */
  replace(change: Parameters<Fake["replace"]>[0]): Promise<void>;
  /** Closes clients, then servers. Closing twice is closing once. */
  close(): Promise<void>;
}

async function styles(): Promise<readonly string[]> {
  const stacks = await Promise.all(defaultStackNames().map((name) => loadStack(name)));
  return stacks.filter(({ role }) => role === "style").map(({ name }) => name);
}

/** Loads what it takes only when it is asked for. */
async function certificateOf(tls: boolean) {
  if (!tls) return undefined;
  const { loopbackCertificate } = await import("@roundtrip/stacks/certificate");
  return loopbackCertificate();
}

type Certificate = Awaited<ReturnType<typeof certificateOf>>;

/** The stacks that serve a fake, and the clients that call it. */
class FakeConnections {
  readonly #fake: Fake;
  readonly #certificate: Certificate;
  readonly #servers = new Map<string, ServedService>();
  readonly #clients: Client[] = [];
  #closed: Promise<void> | undefined;

  constructor(fake: Fake, certificate: Certificate) {
    this.#fake = fake;
    this.#certificate = certificate;
  }

  get urls(): StartedFake["urls"] {
    return Object.fromEntries([...this.#servers].map(([stack, { url }]) => [stack, url]));
  }

  /** Serves it on one more stack. Rejects with a StackError when the server cannot be started. */
  async serve(stack: string, { host, ports, settings }: StartFakeOptions): Promise<void> {
    const serve = await loadServe(stack);
    const own = { host, port: ports[stack] ?? 0, tls: this.#certificate, settings: settings[stack] ?? {} };
    this.#servers.set(stack, await serve(this.#fake.service, { ...serveDefaults, ...own }));
  }

  /** Has every stack serve what the fake is now. */
  async serveAnew(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.replace(this.#fake.service)));
  }

  async connect(stack: string): Promise<Client> {
    const client = await this.#clientOf(stack);
    this.#clients.push(client);
    return client;
  }

  async #clientOf(stack: string): Promise<Client> {
    if (stack === "memory") return memoryClient(() => this.#fake.service);
    const server = this.#servers.get(stack);
    if (server === undefined) {
      throw new Error(`no ${stack} serves this fake: there are ${["memory", ...this.#servers.keys()].join(", ")}`);
    }
    const connect = await loadConnect(stack);
    return connect(this.#fake.contract, { ...connectDefaults, url: server.url, ca: this.#certificate?.ca });
  }

  /** Closes clients, then servers; once. */
  close(): Promise<void> {
    return (this.#closed ??= this.#closeAll());
  }

  async #closeAll(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
    await Promise.all([...this.#servers.values()].map((server) => server.close()));
  }
}

function sessionOf(fake: Fake, connections: FakeConnections, name: string): StartedSession {
  const metadata = new Map([[sessionMetadataName, name]]);
  return {
    name,
    // Asked for each time: the fake may have begun anew.
    get log() {
      return fake.session(name).log;
    },
    connect: async (stack) => withMetadata(await connections.connect(stack), metadata),
    reset: () => fake.reset(name),
  };
}

/**
 * Serves a fake. Rejects with a FakeError for stubs, faults or handlers that do not fit, with a StackError when a server cannot be started.
 */
export async function startFake(contract: Contract, given: Partial<StartFakeOptions> = {}): Promise<StartedFake> {
  const options: StartFakeOptions = { ...startFakeDefaults, ...given };
  const { stacks = await styles(), tls } = options;
  const { seed, stubs, handlers, faults, behind, logLimits } = options;
  const fake = createFake({ contract, seed, stubs, handlers, faults, behind, logLimits });
  const certificate = await certificateOf(tls);
  const connections = new FakeConnections(fake, certificate);
  const close = (): Promise<void> => connections.close();
  try {
    for (const stack of stacks) await connections.serve(stack, options);
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return {
    fake,
    urls: connections.urls,
    ca: certificate?.ca,
    log: fake.log,
    connect: (stack) => connections.connect(stack),
    session: (name) => sessionOf(fake, connections, name),
    reset: () => fake.reset(),
    async replace(change) {
      const { service } = fake;
      fake.replace(change);
      if (fake.service !== service) await connections.serveAnew();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
