// The two processes of a stack in one configuration and round: a client process, which two versions of a server share, and a server process unless it
// is a target, or the client process has the service itself.
import { setTimeout } from "node:timers/promises";
import type { EndMemory, ProcessEvidence, TcpEvidence } from "@roundtrip/runs";
import { inProcessName, serveDefaults } from "@roundtrip/stacks";
import { ProcessLoss } from "../basics/runner-error.ts";
import type { BlockProcesses } from "../evidence/block-counters.ts";
import { residentBytesOf } from "../evidence/process-memory.ts";
import { present } from "../basics/present.ts";
import { tcpEnd, tcpEvidence } from "../link/kernel/tcp.ts";
import { directRoute, type Link, type LinkEnd, type LinkFacts, type LinkRoute } from "../link/link.ts";
import type { OpenLinks } from "../link/open-links.ts";
import { mostTasksInPass } from "../measure/warm-up.ts";
import type { Certificate } from "./run-certificate.ts";
import { Child, type MeasuredProcess, processFile } from "../processes/child.ts";
import { CommandServer } from "../processes/command-server.ts";
import { pin, type Placement } from "../processes/cores.ts";
import type { ClientArm, ClientStart, ServerStart, SessionRequest } from "../processes/messages.ts";
import { type MeasuredServer, OwnServer } from "../processes/own-server.ts";
import type { Configuration } from "../study/configuration.ts";
import type { PlannedArm } from "../study/planned-arm.ts";
import type { ContractSource, ServerCommand, ServerSource, ServiceSource, Target } from "../study/sources.ts";

export class ClientProcesses {
  readonly #started = new Map<string, Child>();

  /** The process that calls the server of this configuration, started on first use. @param commandPrefix see {@link ChildOptions}. */
  of({ versionlessId, stack }: Configuration, commandPrefix: readonly string[]): Child {
    const known = this.#started.get(versionlessId);
    if (known !== undefined) return known;
    const file = processFile("client");
    const child = new Child({ file, commandPrefix, label: `${versionlessId} client`, loads: `${stack} client` });
    this.#started.set(versionlessId, child);
    return child;
  }
}

export interface PairSettings {
  readonly contract: ContractSource;
  readonly service: ServiceSource;
  /** Whether configurations without an explicit setting use TLS. */
  readonly tls: boolean;
  /** For all servers with TLS; undefined if there are none. */
  readonly certificate: Certificate | undefined;
  readonly targets: readonly Target[];
  /** Programs that serve stacks in place of this project's servers, by stack; absent for none. */
  readonly commands?: ReadonlyMap<string, ServerCommand>;
  /** The networks of configurations with their own network. */
  readonly links: OpenLinks;
  /** A server that leaves a call unanswered for longer is given up. */
  readonly answerLimitMs: number;
}

export interface EndedProcess {
  readonly role: "server" | "client";
  readonly end: ProcessLoss;
}

/** Rows for the largest block, and for the largest warm-up pass. */
function capacityOf(arms: readonly PlannedArm[]): number {
  return Math.max(
    ...arms.map((arm) =>
      Math.max(arm.tasksPerBlock * arm.callsPerTask, mostTasksInPass(clientArm(arm)) * arm.plan.steps.length),
    ),
  );
}

/** Whether several callers or a schedule start its tasks. */
export function isUnderLoad({ callers, pacing, saturation }: PlannedArm): boolean {
  return callers > 1 || pacing !== undefined || saturation !== undefined;
}

function clientArm(arm: PlannedArm): ClientArm {
  const { id, plan, callers, connections } = arm;
  return { id, plan, callers, connections, isUnderLoad: isUnderLoad(arm) };
}

const readyLimitMs = 30_000;

/** Both ends are this machine, and every client reaches every server. */
const end: LinkEnd = { host: serveDefaults.host, commandPrefix: [] };
const here: Pick<Link, "server" | "client" | "reach"> & { readonly facts?: LinkFacts } = {
  server: end,
  client: end,
  reach: directRoute,
};

export class ProcessPair {
  readonly configuration: Configuration;
  readonly arms: readonly PlannedArm[];
  readonly #settings: PairSettings;
  readonly #clients: ClientProcesses;
  readonly #link: typeof here;
  /** What its server is started from; undefined for this project's own. */
  readonly #source: ServerSource | undefined;
  readonly #target: Target | undefined;
  #route: LinkRoute | undefined;
  #client: Child | undefined;
  #server: MeasuredServer | undefined;
  #isStopped = false;

  /** @param clients the client processes that start and end with this round. */
  constructor(
    configuration: Configuration,
    arms: readonly PlannedArm[],
    settings: PairSettings,
    clients: ClientProcesses = new ClientProcesses(),
  ) {
    const { stack, link, version } = configuration;
    this.#link = link === undefined ? here : settings.links.of(link);
    this.configuration = configuration;
    this.arms = arms;
    this.#settings = settings;
    this.#clients = clients;
    const source = version?.server(stack) ?? settings.commands?.get(stack);
    this.#source = source;
    this.#target =
      source?.kind === "target" ? source.target : settings.targets.find((target) => target.stack === stack);
  }

  /** Whether its calls need no server. */
  get isInProcess(): boolean {
    return this.configuration.stack === inProcessName;
  }

  /** Whether bursts lose packets in the emulator of its link. */
  get hasSmallBuffers(): boolean {
    return this.#link.facts?.limits?.includes("small-buffers") === true;
  }

  /** Whether it is measured as it starts. */
  get isCold(): boolean {
    return this.configuration.warmUp === false;
  }

  /** The URL with which the client reaches the server, once the pair has started. */
  get url(): string | undefined {
    return this.#target?.url ?? this.#route?.url;
  }

  /** The client first, so that it ends before its server. */
  get processes(): readonly MeasuredProcess[] {
    return [this.#client, this.#server].filter((process) => process !== undefined);
  }

  /** For reading the kernel's counters. */
  get pids(): BlockProcesses {
    return { server: this.#server?.pids ?? [], client: this.#client?.pid === undefined ? [] : [this.#client.pid] };
  }

  /** Asks the client process; see {@link Child.ask}. */
  ask<A>(request: SessionRequest): Promise<A> {
    return this.#running().ask<A>({ ...request, session: this.configuration.id });
  }

  /** Starts and prepares both processes. Rejects if one of them ends, also because the pair was stopped before. */
  async start(): Promise<void> {
    const { stack } = this.configuration;
    if (this.#isStopped) throw new ProcessLoss({ name: this.#name, how: "stopped" });
    const { client } = this.#link;
    if (this.#target === undefined && !this.isInProcess) this.#server = this.#newServer();
    this.#client = this.#clients.of(this.configuration, client.commandPrefix);
    const { contract, service, answerLimitMs } = this.#settings;
    const inProcess = this.isInProcess ? { source: service, settings: this.configuration.services } : undefined;
    const load = { ask: "load", stack, contract, inProcess } as const;
    // The client loads its code while the server starts.
    const [address] = await Promise.all([this.#address(), this.#client.ask<null>(load)]);
    const start: ClientStart = {
      ask: "start",
      stack,
      settings: this.configuration.client,
      contract,
      ...address,
      arms: this.arms.map(clientArm),
      capacity: capacityOf(this.arms),
      answerLimitMs,
    };
    await this.ask<null>(start);
  }

  /** Ends processes and route. They are killed, as they hold nothing to keep; connections to a target are closed properly, unless `atOnce`. */
  async stop(atOnce: boolean): Promise<void> {
    this.#isStopped = true;
    const isGraceful = this.#target !== undefined && !atOnce;
    await Promise.all(this.processes.map((process) => (isGraceful ? process.stop() : process.stop(0))));
    await this.#route?.[Symbol.asyncDispose]();
  }

  place({ server, client, allButClient }: Placement): void {
    const computes = this.arms.some(({ computesOnThreads }) => computesOnThreads === true);
    const hasBoth = this.arms.some(({ servedOnBothCores }) => servedOnBothCores === true);
    const both = server === undefined || client === undefined ? undefined : [server, client];
    this.#server?.place(hasBoth ? both : computes ? allButClient : server);
    pin(this.#client?.pid, client);
  }

  /** CPU time of the server process so far; null without one of its own, or if it has ended. */
  async serverCpuMs(): Promise<number | null> {
    return this.#server === undefined ? null : this.#server.cpuMs();
  }

  /**
   * The process that has ended, if that is noticed within this time: the server process however it ended, the client process if it was killed. A
   * client that ends otherwise has an internal error, after which the run must not continue.
   */
  async endedProcess(withinMs: number): Promise<EndedProcess | undefined> {
    const ends = [
      ["server", this.#server],
      ["client", this.#client],
    ] as const;
    const found = (): EndedProcess | undefined =>
      ends
        .flatMap(([role, child]) =>
          child?.end === undefined ? [] : [{ role, end: child.end, wasKilled: child.wasKilled }],
        )
        .find(({ role, wasKilled }) => role === "server" || wasKilled);
    if (found() === undefined && withinMs > 0) {
      await Promise.race([setTimeout(withinMs), ...ends.flatMap(([, child]) => child?.gone ?? [])]);
    }
    return found();
  }

  /** Watches the server process until {@link watched}. */
  async watch(): Promise<void> {
    await this.#server?.watch();
  }

  /** The evidence of the server process since {@link watch}; undefined for a target, or if it does not report it. */
  async watched(): Promise<ProcessEvidence | undefined> {
    return this.#server?.watched();
  }

  /** Reads the resident memory of both ends. Returns a function that adds their live heaps, for which it forces a collection. */
  memory(): () => Promise<{ readonly server: EndMemory; readonly client: EndMemory }> {
    const { server, client } = this.pids;
    const [ofServer, ofClient] = [server, client].map((pids) => residentBytesOf(pids));
    return async () => {
      // A process that has ended has no heap.
      const [serverHeap, clientHeap] = await Promise.all([
        this.#server?.heapBytes() ?? Promise.resolve(undefined),
        this.#running()
          .ask<number>({ ask: "heap" })
          .catch(() => undefined),
      ]);
      return {
        server: present({ warmBytes: ofServer, heapBytes: serverHeap }),
        client: present({ warmBytes: ofClient, heapBytes: clientHeap }),
      };
    };
  }

  /** The connections to the server as the kernel reports them at both ends of a link with its own namespaces; undefined over other links. */
  async tcp(): Promise<TcpEvidence | undefined> {
    const { client, server } = this.#link;
    if (client.commandPrefix.length === 0 || this.#route === undefined) return undefined;
    const serverPort = Number(new URL(this.#route.url).port);
    const [ofClient, ofServer] = await Promise.all([
      tcpEnd({ commandPrefix: client.commandPrefix, serverPort, isServer: false }),
      tcpEnd({ commandPrefix: server.commandPrefix, serverPort, isServer: true }),
    ]);
    return tcpEvidence(ofClient, ofServer);
  }

  /** A user's server is no server of this project's: it has the title of its arms. */
  get #name(): string {
    const { id, versionlessId, version } = this.configuration;
    const title = this.#source?.kind === "command" ? this.arms[0]?.title : undefined;
    return version === undefined ? (title ?? id) : `${version.name} ${title ?? versionlessId}`;
  }

  #newServer(): MeasuredServer {
    const { stack } = this.configuration;
    const { commandPrefix } = this.#link.server;
    const label = `${this.#name} server`;
    const source = this.#source;
    if (source?.kind === "command") return new CommandServer({ command: source, stack, label, readyLimitMs });
    const { answerLimitMs } = this.#settings;
    const checkout = source?.kind === "checkout" ? source.folder : undefined;
    return new OwnServer({ stack, commandPrefix, label, checkout, answerLimitMs });
  }

  #running(): Child {
    if (this.#client === undefined) throw new Error(`${this.configuration.id} has not been started`);
    return this.#client;
  }

  async #address(): Promise<Pick<ClientStart, "url" | "ca" | "tokenVariable">> {
    if (this.#server === undefined) {
      const { url = "", ca, tokenVariable } = this.#target ?? {};
      return { url, ca, tokenVariable };
    }
    const source = this.#source;
    const { contract, service } = source?.kind === "contract" ? source : this.#settings;
    const { certificate } = this.#settings;
    const tls = (this.configuration.tls ?? this.#settings.tls) ? certificate : undefined;
    const start: ServerStart = {
      ask: "start",
      stack: this.configuration.stack,
      host: this.#link.server.host,
      settings: this.configuration.server,
      services: this.configuration.services,
      contract,
      service,
      tls: tls === undefined ? undefined : { key: tls.key, cert: tls.cert },
    };
    const url = await this.#server.start(start);
    this.#route = await this.#link.reach(url);
    const { ca = tls?.ca, tokenVariable } = source?.kind === "command" ? source : {};
    return { url: this.#route.url, ca, tokenVariable };
  }
}
