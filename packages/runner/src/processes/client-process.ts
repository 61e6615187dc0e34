// A client process: one stack's client, the arms it has to run, and the notebook they are timed in.
import type { Client, Contract } from "@roundtrip/contract";
import { connectDefaults, loadConnect } from "@roundtrip/stacks";
import { prepareExecution, type Execution, type Notebook } from "../measure/execute-plan.ts";
import { Recorder } from "../measure/recorder.ts";
import { hasSettled } from "../measure/warm-up.ts";
import { WireMeter } from "../measure/wire-meter.ts";
import { RunnerError } from "../runner-error.ts";
import { answerQuestions } from "./answer-questions.ts";
import { loadContract } from "./load-source.ts";
import type {
  AnswersAnswer,
  AskBlock,
  AskFirstCall,
  AskSetup,
  AskWarmUp,
  BlockAnswer,
  ClientQuestion,
  ClientStart,
  FirstCallAnswer,
  PlannedArm,
  WarmUpAnswer,
} from "./messages.ts";

const meter = new WireMeter();

class ClientRoom {
  readonly #contract: Contract;
  readonly #client: Client;
  readonly #notebook: Notebook;
  readonly #arms: ReadonlyMap<string, PlannedArm>;
  readonly #executions = new Map<string, Execution>();

  constructor(contract: Contract, client: Client, start: ClientStart) {
    this.#contract = contract;
    this.#client = client;
    this.#notebook = { recorder: new Recorder(start.capacity), meter, outcomes: ["OK"] };
    this.#arms = new Map(start.arms.map((arm) => [arm.id, arm]));
  }

  #execution(armId: string): Execution {
    const known = this.#executions.get(armId);
    if (known !== undefined) return known;
    const arm = this.#arms.get(armId);
    if (arm === undefined) throw new RunnerError("bad-plan", `no arm ${armId}`);
    const execution = prepareExecution(this.#contract, this.#client, arm.plan, this.#notebook);
    this.#executions.set(armId, execution);
    return execution;
  }

  async firstCall({ armId }: AskFirstCall): Promise<FirstCallAnswer> {
    const { recorder, outcomes } = this.#notebook;
    const execution = this.#execution(armId);
    recorder.begin(meter.bytesWritten, meter.bytesRead);
    await execution.run(0);
    const { startedAtMs, endedAtMs, outcome } = recorder.rows();
    return {
      firstCallMs: (endedAtMs[0] ?? Number.NaN) - (startedAtMs[0] ?? Number.NaN),
      outcome: outcomes[outcome[0] ?? 0] ?? "OK",
    };
  }

  async setup({ steps }: AskSetup): Promise<null> {
    if (steps.length > 0) {
      await prepareExecution(this.#contract, this.#client, { order: "sequential", steps }, this.#notebook).answer();
    }
    return null;
  }

  async answers(): Promise<AnswersAnswer> {
    const answers: Record<string, AnswersAnswer["answers"][string]> = {};
    let responses = 0;
    for (const [armId, arm] of this.#arms) {
      answers[armId] = await this.#execution(armId).answer();
      responses += arm.plan.steps.length;
    }
    return { answers, responses };
  }

  // A window runs every arm once: all code that will be timed gets warm, in the mix in which it will be used.
  async warmUp({ rule }: AskWarmUp): Promise<WarmUpAnswer> {
    const { recorder } = this.#notebook;
    const executions = [...this.#arms.keys()].map((armId) => this.#execution(armId));
    const startedAt = performance.now();
    const windows: number[] = [];
    let elapsedMs = 0;
    let calls = 0;
    let settled = false;
    while (elapsedMs < rule.minMs || (!settled && elapsedMs < rule.maxMs)) {
      const windowStartedAt = performance.now();
      for (const execution of executions) {
        recorder.begin(0, 0);
        await execution.run(0);
      }
      for (const arm of this.#arms.values()) calls += arm.plan.steps.length;
      windows.push(performance.now() - windowStartedAt);
      elapsedMs = performance.now() - startedAt;
      settled = hasSettled(windows, rule);
    }
    return { calls, elapsedMs, settled };
  }

  async block({ armId, tasks }: AskBlock): Promise<BlockAnswer> {
    const { recorder, outcomes } = this.#notebook;
    const execution = this.#execution(armId);
    const bytesBefore = meter.bytesWritten + meter.bytesRead;
    const connectionsBefore = meter.connectionsOpened;
    recorder.begin(meter.bytesWritten, meter.bytesRead);
    const cpuBefore = process.cpuUsage();
    const startedAt = performance.now();
    for (let task = 0; task < tasks; task += 1) await execution.run(task);
    const elapsedMs = performance.now() - startedAt;
    const { user, system } = process.cpuUsage(cpuBefore);
    return {
      rows: recorder.rows(),
      outcomes,
      timeOriginMs: performance.timeOrigin,
      elapsedMs,
      clientCpuMs: (user + system) / 1000,
      wireBytes: meter.bytesWritten + meter.bytesRead - bytesBefore,
      connectionsOpened: meter.connectionsOpened - connectionsBefore,
    };
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

let room: ClientRoom | undefined;

async function start(question: ClientStart): Promise<null> {
  const contract = loadContract(question.contract);
  const connect = await loadConnect(question.stack);
  const { url, ca, connections } = question;
  room = new ClientRoom(contract, await connect(contract, { ...connectDefaults, url, ca, connections }), question);
  return null;
}

function opened(): ClientRoom {
  if (room === undefined) throw new RunnerError("bad-plan", "the client was not started");
  return room;
}

answerQuestions<ClientQuestion>((question) => {
  switch (question.ask) {
    case "start":
      return start(question);
    case "firstCall":
      return opened().firstCall(question);
    case "setup":
      return opened().setup(question);
    case "answers":
      return opened().answers();
    case "warmUp":
      return opened().warmUp(question);
    case "block":
      return opened().block(question);
    case "stop":
      return room?.close();
  }
});
