// A client that calls all the time while others attack its server; attacks must not make a call fail. It has a thread of its own, because an attack may
// keep its event loop busy for longer than a server waits for the rest of a request, or keeps an idle connection.
import { create, type Message } from "@bufbuild/protobuf";
import { conformanceContract } from "@roundtrip/conformance";
import {
  EchoRequestSchema,
  type EchoResponse,
} from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { connectDefaults, loadConnect } from "@roundtrip/stacks";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, Worker, workerData } from "node:worker_threads";

/** Far longer than any answer takes, also where a dozen other servers are attacked on the same two cores. */
const patienceMs = 30_000;
const pauseMs = 25;

/** What threads of this file are started with. */
interface CallerStart {
  readonly politeCaller: { readonly stackName: string; readonly url: string };
}

async function callForever({ stackName, url }: CallerStart["politeCaller"]): Promise<never> {
  const contract = conformanceContract();
  const client = await (await loadConnect(stackName))(contract, { ...connectDefaults, url });
  const echo = client.prepare(contract.operation("roundtrip.conformance.v1.ConformanceService.Echo"));
  for (let calls = 1; ; calls += 1) {
    const text = `polite ${calls}`;
    const request: Message = create(EchoRequestSchema, { values: { presence: { text } } });
    const answer = (await echo(request, { timeoutMs: patienceMs })) as EchoResponse;
    if (answer.values?.presence?.text !== text) throw new Error(`a polite call got somebody else's answer: ${text}`);
    // oxlint-disable-next-line require-post-message-target-origin -- a thread, not a window
    parentPort?.postMessage(calls);
    await sleep(pauseMs);
  }
}

const start = workerData as Partial<CallerStart> | null;
if (start?.politeCaller !== undefined) await callForever(start.politeCaller);

export class PoliteCaller {
  readonly #thread: Worker;
  /** Rejects with the error of the first call that fails. */
  readonly #failure: Promise<never>;
  #calls = 0;

  private constructor(thread: Worker) {
    this.#thread = thread;
    thread.on("message", (calls: number) => (this.#calls = calls));
    this.#failure = once(thread, "error").then(([error]) => {
      throw error;
    });
    // It is reported to who waits for the next answer.
    this.#failure.catch(() => {});
  }

  /** Makes a first call at once, so that it has its connection before attacks use up all others. */
  static async of(stackName: string, url: string): Promise<PoliteCaller> {
    const politeCaller: CallerStart["politeCaller"] = { stackName, url };
    const caller = new PoliteCaller(
      new Worker(new URL(import.meta.url), { workerData: { politeCaller }, execArgv: [] }),
    );
    await caller.#answered(1);
    return caller;
  }

  /** The number of answered calls. */
  get calls(): number {
    return this.#calls;
  }

  /** Resolves when a call that begins from now on is answered. Rejects with the error of the first call that failed. */
  nextAnswer(): Promise<void> {
    // The next answer may be of a call that has begun already.
    return this.#answered(this.#calls + 2);
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }

  async #answered(calls: number): Promise<void> {
    while (this.#calls < calls) await Promise.race([this.#failure, once(this.#thread, "message")]);
  }
}
