// A client's session with one server: runs arms, and records their calls in preallocated buffers.
import { CallError, type Client, type Contract } from "@roundtrip/contract";
import { requireLibraries } from "@roundtrip/stacks";
import { machineClock } from "../basics/alarm.ts";
import { RunnerError } from "../basics/runner-error.ts";
import { usedMs } from "../evidence/process-cpu.ts";
import { ProcessWatch } from "../evidence/process-watch.ts";
import type { CallLog } from "../measure/call-timer.ts";
import { WireMeter, withFirstConnection, withStreamLimit } from "../measure/client-connections.ts";
import { type Execution, prepareExecution } from "../measure/execute-plan.ts";
import { newUtilisation } from "../measure/loops.ts";
import { Recorder } from "../measure/recorder.ts";
import type { RecordedCalls } from "@roundtrip/runs/call-columns";
import { TaskTimes, type WarmUpPass } from "../measure/warm-up-passes.ts";
import { tasksInPass, warmedUp, type WarmUpRule } from "../measure/warm-up.ts";
import type {
  TaskAnswers,
  AskAnswers,
  AskBlock,
  AskFirstCall,
  AskSetup,
  AskUse,
  BlockAnswer,
  ClientArm,
  ClientStart,
  FirstCallAnswer,
} from "./messages.ts";
import type { Plan } from "../study/study.ts";

const meter = new WireMeter();

export type OpenClient = (connections: number) => Promise<Client>;

/** Answers the runner's requests. The first request about an arm prepares it. */
export class ClientSession {
  readonly #contract: Contract;
  readonly #open: OpenClient;
  readonly #clients = new Map<number, Client>();
  readonly #settings: ClientStart;
  readonly #callLog: CallLog;
  readonly #arms: ReadonlyMap<string, ClientArm>;
  readonly #executions = new Map<string, Execution>();
  readonly #watch = new ProcessWatch();
  #streamsPerConnection: number | undefined;

  constructor(contract: Contract, open: OpenClient, settings: ClientStart) {
    this.#contract = contract;
    this.#open = open;
    this.#settings = settings;
    this.#callLog = { recorder: new Recorder(settings.capacity), meter, outcomes: ["OK"] };
    this.#arms = new Map(settings.arms.map((arm) => [arm.id, arm]));
  }

  async #client(connections: number): Promise<Client> {
    const client = this.#clients.get(connections) ?? (await this.#open(connections));
    this.#clients.set(connections, client);
    return client;
  }

  #prepared(client: Client, plan: Plan, callers: number): Execution {
    return prepareExecution({ contract: this.#contract, client, plan, callers, callLog: this.#callLog });
  }

  async #execution(armId: string): Promise<Execution> {
    const known = this.#executions.get(armId);
    if (known !== undefined) return known;
    const arm = this.#arms.get(armId);
    if (arm === undefined) throw new RunnerError("bad-plan", `no arm ${armId}`);
    const { plan, callers, connections } = arm;
    const own = this.#prepared(await this.#client(connections), plan, callers);
    const execution = plan.driver === "own" ? own : await this.#autocannon(own, arm);
    this.#executions.set(armId, execution);
    return execution;
  }

  // Loaded only when an arm needs it, so that a process contains only what is measured.
  async #autocannon(own: Execution, { plan, callers }: ClientArm): Promise<Execution> {
    requireLibraries("autocannon as the client", ["autocannon"], import.meta.url);
    const { autocannonExecution } = await import("../measure/autocannon-execution.ts");
    const { url, stack, settings, tokenVariable } = this.#settings;
    const server = { url, stack, settings, tokenVariable };
    return autocannonExecution({ contract: this.#contract, own, plan, callers, ...server, callLog: this.#callLog });
  }

  #inTime<T>(work: Promise<T>, isWaiting: () => boolean = () => false): Promise<T> {
    const { recorder } = this.#callLog;
    const { answerLimitMs } = this.#settings;
    // While no task of a schedule is under way, no answer is due.
    return unlessStalled(work, answerLimitMs, () => (isWaiting() ? performance.now() : recorder.progress));
  }

  /** Resolves to the utilisation of the process: see {@link PacedRun.ended}. */
  async #run(execution: Execution, { tasks, pace }: AskBlock): Promise<number> {
    if (pace !== undefined) {
      const { ended, isWaiting } = execution.paced(pace);
      return this.#inTime(ended, isWaiting);
    }
    const utilisation = newUtilisation(machineClock);
    await this.#inTime(execution.run(tasks));
    return utilisation();
  }

  async firstCall({ armId }: AskFirstCall): Promise<FirstCallAnswer> {
    const { recorder, outcomes } = this.#callLog;
    const execution = await this.#execution(armId);
    recorder.begin(meter.bytesWritten, meter.bytesRead);
    const { connection } = await withFirstConnection(() => this.#inTime(execution.run(1)));
    const { startedAtMs, endedAtMs, outcome } = recorder.rows();
    return {
      ...connection,
      firstCallMs: (endedAtMs[0] ?? Number.NaN) - (startedAtMs[0] ?? Number.NaN),
      outcome: outcomes[outcome[0] ?? 0] ?? "OK",
    };
  }

  async setup({ steps }: AskSetup): Promise<null> {
    if (steps.length > 0) {
      const plan = { order: "sequential", steps, driver: "own" } as const;
      const execution = this.#prepared(await this.#client(1), plan, 1);
      await this.#inTime(execution.answer());
    }
    return null;
  }

  async answers(request: AskAnswers): Promise<TaskAnswers> {
    const { value, limit } = await withStreamLimit(() => this.#allAnswers(request));
    this.#streamsPerConnection = limit;
    return value;
  }

  async #allAnswers({ lacks = [], setup: steps = [] }: AskAnswers): Promise<TaskAnswers> {
    const answers: Record<string, TaskAnswers["answers"][string]> = {};
    const lacking: Record<string, string> = {};
    let responses = 0;
    const unlessLacked = async <T>(work: () => Promise<T>, armIds: Iterable<string>): Promise<T | undefined> => {
      try {
        return await work();
      } catch (thrown) {
        if (!(thrown instanceof CallError && lacks.includes(thrown.code))) throw thrown;
        for (const id of armIds) lacking[id] = `${thrown.code}: ${thrown.message}`;
        return undefined;
      }
    };
    await unlessLacked(() => this.setup({ ask: "setup", steps }), this.#arms.keys());
    for (const [armId, arm] of this.#arms) {
      const answer = await unlessLacked(async () => this.#inTime((await this.#execution(armId)).answer()), [armId]);
      if (answer === undefined) continue;
      answers[armId] = answer;
      responses += arm.plan.steps.length;
    }
    return { answers, lacking, responses };
  }

  // Every arm, so that all code that is timed later warms up in the same mix.
  async warmUpPass(rule: WarmUpRule): Promise<WarmUpPass & { readonly times: TaskTimes }> {
    const { recorder } = this.#callLog;
    const times = new TaskTimes();
    const own = warmedUp([...this.#arms.values()], rule);
    const arms = await Promise.all(
      own.map(async (arm) => ({
        id: arm.id,
        execution: await this.#execution(arm.id),
        tasks: tasksInPass(arm, rule),
      })),
    );
    return {
      calls: own.reduce((sum, arm) => sum + tasksInPass(arm, rule) * arm.plan.steps.length, 0),
      run: async () => {
        for (const { id, execution, tasks } of arms) {
          recorder.begin();
          const beganAt = performance.now();
          await this.#inTime(execution.warm(tasks));
          times.add(id, (performance.now() - beganAt) / tasks);
        }
      },
      times,
    };
  }

  async use({ armId }: AskUse): Promise<null> {
    this.#callLog.recorder.begin();
    await this.#inTime((await this.#execution(armId)).run(1));
    return null;
  }

  async block(request: AskBlock): Promise<BlockAnswer> {
    const { recorder, outcomes } = this.#callLog;
    const execution = await this.#execution(request.armId);
    const bytesBefore = meter.bytesWritten + meter.bytesRead;
    const connectionsBefore = meter.connectionsOpened;
    const closedBefore = meter.connectionsClosedByServer;
    meter.begin();
    this.#watch.begin();
    recorder.begin(meter.bytesWritten, meter.bytesRead);
    const cpuBefore = process.cpuUsage();
    const clientUtilisation = await this.#run(execution, request);
    const usage = process.cpuUsage(cpuBefore);
    const wireBytes = meter.bytesWritten + meter.bytesRead - bytesBefore;
    const connectionsOpened = meter.connectionsOpened - connectionsBefore;
    const { connectionsReused } = meter;
    const connectionsClosedByServer = meter.connectionsClosedByServer - closedBefore;
    const client = this.#watch.end();
    const rows = recorder.rows();
    return {
      rows,
      outcomes,
      timeOriginMs: performance.timeOrigin,
      elapsedMs: spanMs(rows),
      clientCpuMs: usedMs(usage),
      clientUtilisation,
      wireBytes,
      connectionsOpened,
      connectionsReused,
      connectionsClosedByServer,
      streamsPerConnection: this.#streamsPerConnection,
      client,
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
  }
}

function spanMs({ startedAtMs, endedAtMs }: RecordedCalls): number {
  const first = startedAtMs.reduce((low, at) => Math.min(low, at), Number.POSITIVE_INFINITY);
  const last = endedAtMs.reduce((high, at) => Math.max(high, at), Number.NEGATIVE_INFINITY);
  return last - first;
}

const looksPerLimit = 10;

/** Resolves with the work. Rejects with `no-answer` without progress for this long. @param progress calls and messages so far, polled. */
async function unlessStalled<T>(work: Promise<T>, limitMs: number, progress: () => number): Promise<T> {
  const { promise: stalled, reject } = Promise.withResolvers<never>();
  let lastProgress = progress();
  let looksWithout = 0;
  const timer = setInterval(() => {
    const now = progress();
    looksWithout = now === lastProgress ? looksWithout + 1 : 0;
    lastProgress = now;
    if (looksWithout < looksPerLimit) return;
    reject(new RunnerError("no-answer", `a call was not answered within ${limitMs / 1000} s`));
  }, limitMs / looksPerLimit);
  try {
    return await Promise.race([work, stalled]);
  } finally {
    clearInterval(timer);
  }
}
