// One document over edges, answered by this project's server and by the hand-written one: latency and server CPU, in alternating blocks.
import { cpuMsOf } from "@roundtrip/runner/parts";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { linkedDocument } from "./hand-written/linked.ts";
import { type Figure, meanIntervals, type MeasureOptions, median } from "./measure.ts";

/** Compiling code is no part of the ratio, and goes on for so long. */
const warmUpCalls = 10_000;
const blocks = 20;
const callsPerBlock = 100;

const program = join(import.meta.dirname, "hand-written/serve.ts");

/** A server in a process of its own, and what its calls have taken. */
class MeasuredServer {
  readonly #child: ChildProcess;
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #latenciesMs: number[] = [];
  #cpuMs = 0;
  #calls = 0;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.#url = url;
  }

  static async start(stack: string, ...kind: readonly string[]): Promise<MeasuredServer> {
    const child = spawn(process.execPath, [program, stack, "0", ...kind], { stdio: ["ignore", "pipe", "inherit"] });
    const [url] = (await once(createInterface(child.stdout), "line")) as [string];
    return new MeasuredServer(child, url);
  }

  /** Rejects for an answer without all that the document asks for. */
  async #ask(id: number): Promise<void> {
    const headers = { "content-type": "application/json", accept: "application/graphql-response+json" };
    const asking = request(this.#url, { method: "POST", agent: this.#agent, headers });
    asking.end(JSON.stringify({ query: linkedDocument, variables: { id } }));
    const [response] = (await once(asking, "response")) as [AsyncIterable<Buffer>];
    let bytes = 0;
    for await (const chunk of response) bytes += chunk.length;
    // 50 lines with a product each.
    if (bytes < 3_000) throw new Error(`an answer of ${bytes} bytes`);
  }

  /** One call after the other. */
  async call(times: number, isTimed: boolean): Promise<void> {
    const cpuBefore = cpuMsOf(this.#child.pid ?? 0) ?? 0;
    for (let at = 0; at < times; at += 1) {
      const startedAt = performance.now();
      // oxlint-disable-next-line no-await-in-loop
      await this.#ask(1 + (at % 100));
      if (isTimed) this.#latenciesMs.push(performance.now() - startedAt);
    }
    if (!isTimed) return;
    this.#cpuMs += (cpuMsOf(this.#child.pid ?? 0) ?? 0) - cpuBefore;
    this.#calls += times;
  }

  get latencyMs(): number {
    return median(this.#latenciesMs);
  }

  get cpuMsPerCall(): number {
    return this.#cpuMs / this.#calls;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy();
    this.#child.kill("SIGKILL");
    await once(this.#child, "exit");
  }
}

/** The logarithms of one round's ratios. */
async function round(stack: string): Promise<readonly [latency: number, cpu: number]> {
  await using handWritten = await MeasuredServer.start(stack);
  await using interpreted = await MeasuredServer.start(stack, "interpreted");
  const servers = [handWritten, interpreted];
  // oxlint-disable no-await-in-loop -- one after the other, because they share processors
  for (const server of servers) await server.call(warmUpCalls, false);
  for (let block = 0; block < blocks; block += 1) {
    for (const server of block % 2 === 0 ? servers : servers.toReversed()) await server.call(callsPerBlock, true);
  }
  // oxlint-enable no-await-in-loop
  return [
    Math.log(interpreted.latencyMs / handWritten.latencyMs),
    Math.log(interpreted.cpuMsPerCall / handWritten.cpuMsPerCall),
  ];
}

/** The ratios of a document over edges. */
export async function documentRatios(stack: string, options: MeasureOptions): Promise<readonly Figure[]> {
  const logs: (readonly [number, number])[] = [];
  for (let at = 0; at < options.rounds; at += 1) {
    options.onProgress(`${stack}, a document over edges: round ${at + 1} of ${options.rounds}`);
    // oxlint-disable-next-line no-await-in-loop
    logs.push(await round(stack));
  }
  const series = [logs.map(([latency]) => latency), logs.map(([, cpu]) => cpu)];
  return meanIntervals(series, options.seed).map(({ mean, interval }, at): Figure => ({
    of: `a document over edges, ${at === 0 ? "latency" : "server CPU"}`,
    value: Math.exp(mean),
    interval: interval === null ? null : { low: Math.exp(interval.low), high: Math.exp(interval.high) },
    unit: "×",
    atMost: 1.05,
  }));
}
