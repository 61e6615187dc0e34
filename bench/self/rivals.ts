// The cost of one server over another: server CPU per call, on each stack. In every round both start anew, run side by side, share one client, and
// take turns in random order.
import { builtInContract, type Client } from "@roundtrip/contract";
import { isDeepStrictEqual } from "node:util";
import {
  type Execution,
  type CallLog,
  prepareExecution,
  Recorder,
  type ServerStarted,
  WireMeter,
} from "@roundtrip/runner/measured-process";
import { Child, childCpuMs, pin, type Placement, placements, seedOf, shuffled } from "@roundtrip/runner/parts";
import type { Plan, ServiceSource } from "@roundtrip/runner";
import { connectDefaults, loadConnect, loadStack } from "@roundtrip/stacks";
import { median, ratioIntervals, type Figure, type MeasureOptions } from "./measure.ts";
import { serverStart } from "./probe.ts";

/** A server process: the file that it runs, and its service. */
interface RivalServer {
  readonly file: string;
  readonly service: ServiceSource;
}

interface RivalsOptions<S extends string> {
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

async function startRival<S extends string>(side: S, options: RivalsOptions<S>, callLog: CallLog): Promise<Rival> {
  const { stack, plans, core, servers } = options;
  const { file, service } = servers[side];
  const server = new Child({ file, commandPrefix: [], label: `${stack} server (${side})` });
  pin(server.pid, core);
  try {
    const { url } = await server.ask<ServerStarted>(serverStart(stack, service));
    const client = await (await loadConnect(stack))(contract, { ...connectDefaults, url });
    const executions = Object.fromEntries(
      Object.entries(plans).map(([name, plan]) => [
        name,
        prepareExecution({ contract, client, plan, callers: 1, callLog }),
      ]),
    );
    return { server, client, executions };
  } catch (thrown) {
    server.kill();
    throw thrown;
  }
}

class Rivals<S extends string> {
  readonly #rivals: ReadonlyMap<S, Rival>;
  readonly #callLog: CallLog;

  private constructor(rivals: ReadonlyMap<S, Rival>, callLog: CallLog) {
    this.#rivals = rivals;
    this.#callLog = callLog;
  }

  static async start<S extends string>(options: RivalsOptions<S>): Promise<Rivals<S>> {
    const callLog: CallLog = { recorder: new Recorder(options.capacity), meter, outcomes: ["OK"] };
    const rivals = new Map<S, Rival>();
    try {
      for (const side of Object.keys(options.servers) as S[]) {
        rivals.set(side, await startRival(side, options, callLog));
      }
      return new Rivals(rivals, callLog);
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
    const { recorder, outcomes } = this.#callLog;
    recorder.begin(meter.bytesWritten, meter.bytesRead);
    await this.#execution(side, name).run(calls);
    if (outcomes.length > 1) throw new Error(`${name}: a call failed with ${outcomes[1]}`);
  }
}

/** The two servers to compare. Both must give the same answers, or nothing is measured. */
interface Contest {
  readonly stacks: readonly string[];
  readonly plans: Readonly<Record<string, Plan>>;
  readonly server: RivalServer;
  readonly baseline: RivalServer;
  /** The target of each ratio. */
  readonly atMost: number;
}

const sides = ["server", "baseline"] as const;
type Side = (typeof sides)[number];

/** Pairs of blocks per cell and round. */
const pairs = 12;
/** The minimum server CPU of a block, to make clock ticks and rounding of the kernel negligible. */
const blockCpuMs = 60;
const warmUpCalls = 4_000;
const chunkCalls = 500;
const capacity = 20_000;

/** Warms up both sides in turn, and returns the calls of a block by plan. */
async function warmUp(rivals: Rivals<Side>, plans: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const calls = new Map<string, number>();
  for (let done = 0; done < warmUpCalls; done += chunkCalls) {
    for (const name of plans) {
      let cpuMs = 0;
      for (const side of sides) cpuMs = Math.max(cpuMs, await rivals.block(side, name, chunkCalls));
      calls.set(name, Math.min(capacity, Math.ceil(blockCpuMs / cpuMs)));
    }
  }
  return calls;
}

/** CPU per call of every block, by plan and side. */
type RoundCosts = ReadonlyMap<string, Readonly<Record<Side, number[]>>>;

async function measureStack(
  { plans, server, baseline }: Contest,
  stack: string,
  seed: number,
  placement: Placement,
): Promise<RoundCosts> {
  const names = Object.keys(plans);
  const rivals = await Rivals.start({ stack, plans, servers: { server, baseline }, core: placement.server, capacity });
  try {
    for (const name of names) await rivals.verify(name, chunkCalls);
    const calls = await warmUp(rivals, names);
    const costs = new Map<string, Record<Side, number[]>>(names.map((name) => [name, { server: [], baseline: [] }]));
    const turns = names.flatMap((name) => Array.from({ length: pairs }, () => name));
    for (const [turn, name] of shuffled(turns, seed).entries()) {
      for (const side of shuffled(sides, seedOf(seed, turn))) {
        const costMs = await rivals.block(side, name, calls.get(name) ?? chunkCalls);
        costs.get(name)?.[side].push(costMs);
      }
    }
    return costs;
  } finally {
    await rivals.stop();
  }
}

/** ln(server / baseline) of one round: the median over pairs of blocks, so that noise in one of them does not matter. */
function logRatioOf({ server, baseline }: Readonly<Record<Side, readonly number[]>>): number {
  return median(server.map((costMs, pair) => Math.log(costMs / (baseline[pair] ?? Number.NaN))));
}

/** Server CPU per call of `server` over `baseline`, for each stack and plan. */
export async function rivalRatios(
  contest: Contest,
  { rounds, seed, onProgress }: MeasureOptions,
): Promise<readonly Figure[]> {
  const { stacks, plans, atMost } = contest;
  const cells = stacks.flatMap((stack) => Object.keys(plans).map((plan) => ({ stack, plan })));
  const logRatios = new Map(cells.map((cell): [typeof cell, number[]] => [cell, []]));
  const placement = placements();
  for (let round = 0; round < rounds; round += 1) {
    const place = placement.ofRound(round);
    // This process is the client: it gets the core that the servers do not use.
    pin(process.pid, place.client);
    for (const [turn, stack] of shuffled(stacks, seedOf(seed, round)).entries()) {
      onProgress(`round ${round + 1} of ${rounds}, ${stack}`);
      const ofStack = await measureStack(contest, stack, seedOf(seed, round, turn), place);
      for (const cell of cells.filter((one) => one.stack === stack)) {
        const costs = ofStack.get(cell.plan);
        if (costs !== undefined) logRatios.get(cell)?.push(logRatioOf(costs));
      }
    }
  }
  const titles = new Map<string, string>();
  for (const stack of stacks) titles.set(stack, (await loadStack(stack)).title);
  const ratios = ratioIntervals(
    cells.map((cell) => logRatios.get(cell) ?? []),
    seed,
  );
  return cells.map(({ stack, plan }, index) => ({
    of: `${titles.get(stack)}, ${plan}`,
    value: ratios[index]?.mean ?? Number.NaN,
    interval: ratios[index]?.interval ?? null,
    unit: "×",
    atMost,
  }));
}
