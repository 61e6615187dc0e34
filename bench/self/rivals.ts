// Runs two servers of one stack side by side, and one client process that calls both alike.
import { builtInContract, type Client } from "@roundtrip/contract";
import { connectDefaults, loadConnect } from "@roundtrip/stacks";
import { isDeepStrictEqual } from "node:util";
import {
  type Execution,
  type Notebook,
  prepareExecution,
  Recorder,
  type ServerStarted,
  WireMeter,
} from "@roundtrip/runner/measured-process";
import { Child, childCpuMs, pin, processFile } from "@roundtrip/runner/parts";
import type { Plan, ServiceSource } from "@roundtrip/runner";
import { serverStart } from "./served.ts";

/** A server process: the file that it runs, and its service. */
export interface RivalServer {
  readonly file: string;
  readonly service: ServiceSource;
}

export function servedHere(service: ServiceSource): RivalServer {
  return { file: processFile("server"), service };
}

export interface RivalsOptions<S extends string> {
  readonly stack: string;
  /** The servers, by their names in the measure. */
  readonly servers: Readonly<Record<S, RivalServer>>;
  readonly plans: Readonly<Record<string, Plan>>;
  /** The core of both servers, which never work at the same time; undefined lets the kernel choose. */
  readonly core: number | undefined;
  /** Calls of the largest block. */
  readonly capacity: number;
}

interface Rival {
  readonly server: Child;
  readonly client: Client;
  readonly executions: Readonly<Record<string, Execution>>;
}

const contract = builtInContract();
const meter = new WireMeter();

/** Wire sizes may differ by this share: the size of a date compressed by HTTP/2 depends on the date before it. */
const bytesTolerance = 0.01;

async function startRival<S extends string>(side: S, options: RivalsOptions<S>, notebook: Notebook): Promise<Rival> {
  const { stack, plans, core, servers } = options;
  const { file, service } = servers[side];
  const server = new Child({ file, enter: [], label: `${stack} server (${side})` });
  pin(server.pid, core);
  try {
    const { url } = await server.ask<ServerStarted>(serverStart(stack, service));
    const client = await (await loadConnect(stack))(contract, { ...connectDefaults, url });
    const executions = Object.fromEntries(
      Object.entries(plans).map(([name, plan]) => [
        name,
        prepareExecution({ contract, client, plan, callers: 1, notebook }),
      ]),
    );
    return { server, client, executions };
  } catch (thrown) {
    server.kill();
    throw thrown;
  }
}

export class Rivals<S extends string> {
  readonly #rivals: ReadonlyMap<S, Rival>;
  readonly #notebook: Notebook;

  private constructor(rivals: ReadonlyMap<S, Rival>, notebook: Notebook) {
    this.#rivals = rivals;
    this.#notebook = notebook;
  }

  static async start<S extends string>(options: RivalsOptions<S>): Promise<Rivals<S>> {
    const notebook: Notebook = { recorder: new Recorder(options.capacity), meter, outcomes: ["OK"] };
    const rivals = new Map<S, Rival>();
    try {
      for (const side of Object.keys(options.servers) as S[]) {
        rivals.set(side, await startRival(side, options, notebook));
      }
      return new Rivals(rivals, notebook);
    } catch (thrown) {
      for (const { server } of rivals.values()) server.kill();
      throw thrown;
    }
  }

  /** Rejects with an Error if the servers give different answers, or send different amounts of bytes. */
  async verify(name: string, calls: number): Promise<void> {
    const seen: { readonly side: S; readonly answer: unknown; readonly bytes: number }[] = [];
    for (const side of this.#rivals.keys()) {
      const answer = await this.#execution(side, name).answer();
      const before = meter.bytesRead;
      await this.#run(side, name, calls);
      seen.push({ side, answer, bytes: (meter.bytesRead - before) / calls });
    }
    const [first, ...others] = seen;
    for (const other of others) {
      if (first === undefined) return;
      if (!isDeepStrictEqual(first.answer, other.answer)) {
        const [one, another] = [JSON.stringify(first.answer), JSON.stringify(other.answer)];
        throw new Error(`${name}: ${first.side} answers ${one}, ${other.side} ${another}`);
      }
      if (Math.abs(first.bytes / other.bytes - 1) > bytesTolerance) {
        throw new Error(`${name}: ${first.side} sends ${first.bytes} bytes a call, ${other.side} ${other.bytes}`);
      }
    }
  }

  /** Server CPU in milliseconds per call, from the kernel, over a block of sequential calls. */
  async block(side: S, name: string, calls: number): Promise<number> {
    const { server } = this.#rivalOf(side);
    const before = await childCpuMs(server);
    await this.#run(side, name, calls);
    return ((await childCpuMs(server)) - before) / calls;
  }

  async stop(): Promise<void> {
    await Promise.all(
      [...this.#rivals.values()].map(async ({ client, server }) => {
        await client.close();
        await server.stop();
      }),
    );
  }

  #rivalOf(side: S): Rival {
    return this.#rivals.get(side) as Rival;
  }

  #execution(side: S, name: string): Execution {
    return this.#rivalOf(side).executions[name] as Execution;
  }

  async #run(side: S, name: string, calls: number): Promise<void> {
    const { recorder, outcomes } = this.#notebook;
    recorder.begin(meter.bytesWritten, meter.bytesRead);
    await this.#execution(side, name).run(calls);
    if (outcomes.length > 1) throw new Error(`${name}: a call failed with ${outcomes[1]}`);
  }
}
