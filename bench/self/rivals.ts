// Two servers of one stack side by side, ours and the one written by hand, and one client process that calls both alike.
import { builtInContract, type Client } from "@roundtrip/contract";
import { connectDefaults, loadConnect } from "@roundtrip/stacks";
import { join } from "node:path";
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
import type { Plan } from "@roundtrip/runner";
import { serverStart } from "./served.ts";

/** Who answers. */
export const sides = ["ours", "byHand"] as const;
export type Side = (typeof sides)[number];

export interface RivalsOptions {
  readonly stack: string;
  /** What is called, by name. */
  readonly plans: Readonly<Record<string, Plan>>;
  /** The core of both servers, which never work at the same time; undefined leaves them to the kernel. */
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

/** Wire sizes may differ by this much: HTTP/2 compresses a date by what it was before. */
const bytesTolerance = 0.01;

const files: Readonly<Record<Side, string>> = {
  ours: processFile("server"),
  byHand: join(import.meta.dirname, "hand-written", "hand-written-process.ts"),
};

async function startRival(side: Side, options: RivalsOptions, notebook: Notebook): Promise<Rival> {
  const { stack, plans, core } = options;
  const server = new Child({ file: files[side], enter: [], label: `${stack} server (${side})` });
  pin(server.pid, core);
  try {
    const { url } = await server.ask<ServerStarted>(serverStart(stack));
    const client = await (await loadConnect(stack))(contract, { ...connectDefaults, url });
    const executions = Object.fromEntries(
      Object.entries(plans).map(([name, plan]) => [name, prepareExecution(contract, client, plan, 1, notebook)]),
    );
    return { server, client, executions };
  } catch (thrown) {
    server.kill();
    throw thrown;
  }
}

/** Two running servers that have been seen to answer alike. */
export class Rivals {
  readonly #rivals: Readonly<Record<Side, Rival>>;
  readonly #notebook: Notebook;

  private constructor(rivals: Readonly<Record<Side, Rival>>, notebook: Notebook) {
    this.#rivals = rivals;
    this.#notebook = notebook;
  }

  /** Starts both. */
  static async start(options: RivalsOptions): Promise<Rivals> {
    const notebook: Notebook = { recorder: new Recorder(options.capacity), meter, outcomes: ["OK"] };
    const ours = await startRival("ours", options, notebook);
    try {
      return new Rivals({ ours, byHand: await startRival("byHand", options, notebook) }, notebook);
    } catch (thrown) {
      ours.server.kill();
      throw thrown;
    }
  }

  /** Rejects with an Error when the two give different values, or put different amounts of bytes on the wire. */
  async verify(name: string, calls: number): Promise<void> {
    const answers = [await this.#execution("ours", name).answer(), await this.#execution("byHand", name).answer()];
    const bytes: number[] = [];
    for (const side of sides) {
      const before = meter.bytesRead;
      // oxlint-disable-next-line no-await-in-loop
      await this.#run(side, name, calls);
      bytes.push((meter.bytesRead - before) / calls);
    }
    if (!isDeepStrictEqual(answers[0], answers[1])) {
      throw new Error(`${name}: we answer ${JSON.stringify(answers[0])}, by hand ${JSON.stringify(answers[1])}`);
    }
    const [ours = 0, byHand = 0] = bytes;
    if (Math.abs(ours / byHand - 1) > bytesTolerance) {
      throw new Error(`${name}: we send ${ours} bytes a call, by hand ${byHand}`);
    }
  }

  /** Server CPU in milliseconds per call, by the kernel's books, over a block of calls one after the other. */
  async block(side: Side, name: string, calls: number): Promise<number> {
    const { server } = this.#rivals[side];
    const before = await childCpuMs(server);
    await this.#run(side, name, calls);
    return ((await childCpuMs(server)) - before) / calls;
  }

  async stop(): Promise<void> {
    await Promise.all(
      Object.values(this.#rivals).map(async ({ client, server }) => {
        await client.close();
        await server.stop();
      }),
    );
  }

  #execution(side: Side, name: string): Execution {
    return this.#rivals[side].executions[name] as Execution;
  }

  async #run(side: Side, name: string, calls: number): Promise<void> {
    const { recorder, outcomes } = this.#notebook;
    recorder.begin(meter.bytesWritten, meter.bytesRead);
    await this.#execution(side, name).run(calls);
    if (outcomes.length > 1) throw new Error(`${name}: a call failed with ${outcomes[1]}`);
  }
}
