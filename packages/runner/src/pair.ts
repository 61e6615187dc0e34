// The two ends of a stack, in one configuration, in one round: a client process, and a server process unless its server runs elsewhere.
import { serveDefaults } from "@roundtrip/stacks";
import type { Arm } from "./arm.ts";
import type { Configuration } from "./configuration.ts";
import type { LinkEnd } from "./link/link.ts";
import type { OpenLinks } from "./link/open-links.ts";
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
import type { Target } from "./target.ts";

/** What every pair of a run is started with. */
export interface PairSettings {
  readonly contract: ContractSource;
  readonly service: ServiceSource;
  readonly tls: { readonly key: string; readonly cert: string; readonly ca: string } | undefined;
  readonly targets: readonly Target[];
  /** The networks of configurations that have one of their own. */
  readonly links: OpenLinks;
  /** A server that leaves a call unanswered for longer is given up. */
  readonly answerLimitMs: number;
}

function capacityOf(arms: readonly Arm[]): number {
  return Math.max(...arms.map((arm) => arm.tasksPerBlock * arm.callsPerTask));
}

/** Both ends are this machine. */
const here: LinkEnd = { host: serveDefaults.host, enter: [] };

export class Pair {
  readonly configuration: Configuration;
  readonly arms: readonly Arm[];
  readonly #settings: PairSettings;
  readonly #client: Child;
  readonly #host: string;
  readonly #server: Child | Target;

  /** Starts the processes; {@link start} makes them ready. */
  constructor(configuration: Configuration, arms: readonly Arm[], settings: PairSettings) {
    const { id, stack, link } = configuration;
    const ends = link === undefined ? { server: here, client: here } : settings.links.of(link);
    this.#host = ends.server.host;
    this.configuration = configuration;
    this.arms = arms;
    this.#settings = settings;
    this.#server =
      settings.targets.find((target) => target.stack === stack) ??
      new Child({ file: processFile("server"), enter: ends.server.enter, label: `${id} server` });
    this.#client = new Child({ file: processFile("client"), enter: ends.client.enter, label: `${id} client` });
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
    const { contract, service, tls } = this.#settings;
    const start: ServerStart = {
      ask: "start",
      stack: this.configuration.stack,
      host: this.#host,
      settings: this.configuration.server,
      contract,
      service,
      tls: tls === undefined ? undefined : { key: tls.key, cert: tls.cert },
    };
    const { url } = await this.#server.ask<ServerStarted>(start);
    return { url, ca: tls?.ca, tokenVariable: undefined };
  }
}
