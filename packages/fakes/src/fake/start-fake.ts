// A fake for a test: served on stacks, called without a socket, and closed with the test.
import { type Client, type Contract, withMetadata } from "@roundtrip/contract";
import {
  connectDefaults,
  defaultStackNames,
  loadConnect,
  loadServe,
  loadStack,
  type RequestWatch,
  serveDefaults,
  type ServedService,
  type ServeOptions,
  type Settings,
  watchRefusals,
} from "@roundtrip/stacks";
import { sessionMetadataName } from "../basics/names.ts";
import { exampleRequests } from "../examples/example-requests.ts";
import type { ReadableLog } from "../log/call-log.ts";
import { createFake, type Fake, fakeDefaults, type FakeOptions } from "./fake.ts";
import { memoryClient } from "./memory-client.ts";
import type { OwnOptions } from "./sessions.ts";

/**
 * The watch for a stack that serves a fake: refused requests are in the fake's log. Rejects with a StackError for an unknown stack.
 * @param server its name among the addresses of the fake
 */
export async function stackWatch(fake: Fake, stack: string, server: string = stack): Promise<RequestWatch> {
  const { style, title } = await loadStack(stack);
  return watchRefusals(
    style,
    () => fake.contract,
    ({ request, headers, code, message, nearest, nearestField }) => {
      const session = headers[sessionMetadataName];
      fake.refusalLog.add({
        session: typeof session === "string" ? session : "",
        server,
        style: title,
        request,
        outcome: code,
        message,
        nearest,
        nearestField,
        at: Date.now(),
      });
    },
  );
}

export interface StartFakeOptions extends Omit<FakeOptions, "contract"> {
  /** The stacks that serve it. Default: the default stacks. An empty list serves it in memory only. */
  readonly stacks: readonly string[] | undefined;
  /** Default: loopback. */
  readonly host: string;
  /** By stack; other stacks use free ports. */
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
  ports: {},
  tls: false,
  settings: {},
} as const satisfies StartFakeOptions;

/** What tests do with a fake, or with one of its sessions. */
interface Callable {
  readonly log: ReadableLog;
  /** A client of one of the stacks that serve the fake, or of `memory`, which needs no server. It is closed with the fake. */
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
  /** As {@link Fake.replace}; resolves when all servers have switched. A new contract needs new clients. */
  replace(change: Parameters<Fake["replace"]>[0]): Promise<void>;
  /** Closes clients, then servers. Further calls have no effect. */
  close(): Promise<void>;
}

async function styles(): Promise<readonly string[]> {
  const stacks = await Promise.all(defaultStackNames().map((name) => loadStack(name)));
  return stacks.filter(({ role }) => role === "style").map(({ name }) => name);
}

/** Loads the certificate library on request only. */
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

  /** Serves it on one more stack. Rejects with a StackError if the server cannot start. */
  async serve(stack: string, { host, ports, settings }: StartFakeOptions): Promise<void> {
    const serve = await loadServe(stack);
    const watch = await stackWatch(this.#fake, stack);
    const own = { host, port: ports[stack] ?? 0, tls: this.#certificate, settings: settings[stack] ?? {}, watch };
    const examplesOf: ServeOptions["examplesOf"] = async (contract) =>
      exampleRequests(contract, this.#fake.options.seed);
    this.#servers.set(stack, await serve(this.#fake.service, { ...serveDefaults, ...own, examplesOf }));
  }

  /** Switches every server to the current service. */
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
      throw new Error(
        `the fake is not served by "${stack}": use one of ${["memory", ...this.#servers.keys()].join(", ")}`,
      );
    }
    const connect = await loadConnect(stack);
    return connect(this.#fake.contract, { ...connectDefaults, url: server.url, ca: this.#certificate?.ca });
  }

  /** Closes clients, then servers, once. */
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
    // Looked up each time, because replacing options may create new sessions.
    get log() {
      return fake.session(name).log;
    },
    connect: async (stack) => withMetadata(await connections.connect(stack), metadata),
    use: (own) => fake.session(name).use(own),
    reset: () => fake.reset(name),
  };
}

/**
 * Serves a fake. Rejects with a FakeError if stubs, faults or handlers do not fit, and with a StackError if a server cannot start.
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
