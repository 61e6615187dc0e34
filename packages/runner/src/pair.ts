// The two ends of a stack, in one configuration, in one round: a client process, and a server process unless its server runs elsewhere.
import { serveDefaults } from "@roundtrip/stacks";
import type { Arm } from "./arm.ts";
import type { Configuration } from "./configuration.ts";
import type { Link, LinkEnd, Way } from "./link/link.ts";
import type { OpenLinks } from "./link/open-links.ts";
import { straightWay } from "./link/straight-way.ts";
import { Child, processFile } from "./processes/child.ts";
import { pin, type Placement } from "./processes/cores.ts";
import { childCpuMs } from "./processes/process-cpu.ts";
import type {
  ClientQuestion,
  ClientStart,
  ContractSource,
  ServerStart,
  ServerStarted,
  ServiceSource,
} from "./processes/messages.ts";
import type { Certificate } from "./run-certificate.ts";
import type { Target } from "./target.ts";

/** What every pair of a run is started with. */
export interface PairSettings {
  readonly contract: ContractSource;
  readonly service: ServiceSource;
  /** Whether configurations that leave it open go over TLS. */
  readonly tls: boolean;
  /** Of every server that is reached over TLS; undefined when none is. */
  readonly certificate: Certificate | undefined;
  readonly targets: readonly Target[];
  /** The networks of configurations that have one of their own. */
  readonly links: OpenLinks;
  /** A server that leaves a call unanswered for longer is given up. */
  readonly answerLimitMs: number;
}

function capacityOf(arms: readonly Arm[]): number {
  return Math.max(...arms.map((arm) => arm.tasksPerBlock * arm.callsPerTask));
}

/** Both ends are this machine, and every client sees every server. */
const end: LinkEnd = { host: serveDefaults.host, enter: [] };
const here: Pick<Link, "server" | "client" | "reach"> = { server: end, client: end, reach: straightWay };

export class Pair {
  readonly configuration: Configuration;
  readonly arms: readonly Arm[];
  readonly #settings: PairSettings;
  readonly #client: Child;
  readonly #link: typeof here;
  #way: Way | undefined;
  readonly #server: Child | Target;

  /** Starts the processes; {@link start} makes them ready. */
  constructor(configuration: Configuration, arms: readonly Arm[], settings: PairSettings) {
    const { id, stack, link } = configuration;
    this.#link = link === undefined ? here : settings.links.of(link);
    const { server, client } = this.#link;
    this.configuration = configuration;
    this.arms = arms;
    this.#settings = settings;
    this.#server =
      settings.targets.find((target) => target.stack === stack) ??
      new Child({ file: processFile("server"), enter: server.enter, label: `${id} server` });
    this.#client = new Child({ file: processFile("client"), enter: client.enter, label: `${id} client` });
  }

  /** The processes of this run: the client first, so that it never calls a server that has gone. */
  get processes(): readonly Child[] {
    return this.#server instanceof Child ? [this.#client, this.#server] : [this.#client];
  }

  /** Asks the client process; see {@link Child.ask}. */
  ask<A>(question: ClientQuestion): Promise<A> {
    return this.#client.ask<A>(question);
  }

  async start(): Promise<void> {
    const { contract, answerLimitMs } = this.#settings;
    const start: ClientStart = {
      ask: "start",
      stack: this.configuration.stack,
      settings: this.configuration.client,
      contract,
      ...(await this.#address()),
      arms: this.arms.map(({ id, plan, callers, connections }) => ({ id, plan, callers, connections })),
      capacity: capacityOf(this.arms),
      answerLimitMs,
    };
    await this.#client.ask<null>(start);
  }

  /** Ends the processes, politely unless it has to be `atOnce`, and gives their way over the link back. */
  async stop(atOnce: boolean): Promise<void> {
    await Promise.all(this.processes.map((child) => (atOnce ? child.stop(0) : child.stop())));
    await this.#way?.[Symbol.asyncDispose]();
  }

  /** Pins the processes to their cores. */
  place({ server, client }: Placement): void {
    if (this.#server instanceof Child) pin(this.#server.pid, server);
    pin(this.#client.pid, client);
  }

  /** CPU time of the server process so far; null when it runs elsewhere. */
  async serverCpuMs(): Promise<number | null> {
    return this.#server instanceof Child ? childCpuMs(this.#server) : null;
  }

  async #address(): Promise<Pick<ClientStart, "url" | "ca" | "tokenVariable">> {
    if (!(this.#server instanceof Child)) {
      const { url, ca, tokenVariable } = this.#server;
      return { url, ca, tokenVariable };
    }
    const { contract, service, certificate } = this.#settings;
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
    const { url } = await this.#server.ask<ServerStarted>(start);
    this.#way = await this.#link.reach(url);
    return { url: this.#way.url, ca: tls?.ca, tokenVariable: undefined };
  }
}
