// One round: every stack's server and client start anew, answer alike, warm up, and run their blocks.
import type { JsonObject } from "@bufbuild/protobuf";
import type { Arm } from "./arm.ts";
import { Child, processFile } from "./processes/child.ts";
import { pin, type Placement } from "./processes/cores.ts";
import { childCpuMs } from "./processes/process-cpu.ts";
import { warmUpRules } from "./measure/warm-up.ts";
import type {
  AnswersAnswer,
  BlockAnswer,
  ClientStart,
  ContractSource,
  FirstCallAnswer,
  ServerStart,
  ServerStarted,
  ServiceSource,
  WarmUpAnswer,
} from "./processes/messages.ts";
import { RunnerError } from "./runner-error.ts";
import { scheduleRound, shuffled, seedOf, type ScheduledBlock } from "./schedule.ts";
import type { RoundLog } from "./round-log.ts";
import type { Step } from "./study.ts";
import { unlessAborted } from "./unless-aborted.ts";
import { verifyAnswers } from "./verify-answers.ts";

/** What stays the same in every round. */
export interface RoundSettings {
  readonly arms: readonly Arm[];
  readonly setup: readonly Step[];
  readonly seed: number;
  readonly contract: ContractSource;
  readonly service: ServiceSource;
  readonly tls: { readonly key: string; readonly cert: string; readonly ca: string } | undefined;
  readonly signal: AbortSignal;
}

/** Called between blocks, never during one. Returning false ends the round early. */
export type OnProgress = (blocksDone: number, blocksPlanned: number) => boolean;

interface Pair {
  readonly stack: string;
  readonly arms: readonly Arm[];
  readonly server: Child;
  readonly client: Child;
}

function capacityOf(arms: readonly Arm[]): number {
  return Math.max(...arms.map((arm) => arm.tasksPerBlock * arm.callsPerTask));
}

async function startPair(pair: Pair, settings: RoundSettings): Promise<void> {
  const { stack, arms, server, client } = pair;
  const { contract, service, tls } = settings;
  const serverStart: ServerStart = {
    ask: "start",
    stack,
    contract,
    service,
    tls: tls === undefined ? undefined : { key: tls.key, cert: tls.cert },
  };
  const { url } = await server.ask<ServerStarted>(serverStart);
  const clientStart: ClientStart = {
    ask: "start",
    stack,
    contract,
    url,
    ca: tls?.ca,
    arms: arms.map(({ id, plan, callers, connections }) => ({ id, plan, callers, connections })),
    capacity: capacityOf(arms),
  };
  await client.ask<null>(clientStart);
}

/** A pair of processes has one first call to give: the studies take it in turn, each with its first arm. */
function firstCalled(arms: readonly Arm[], round: number): Arm | undefined {
  const studies = [...new Set(arms.map((arm) => arm.study))];
  return arms.find((arm) => arm.study === studies[round % studies.length]);
}

/** Starts everything, takes first calls apart, compares answers and warms up. */
async function prepare(
  pairs: readonly Pair[],
  settings: RoundSettings,
  round: number,
  placement: Placement,
  log: RoundLog,
): Promise<void> {
  await Promise.all(pairs.map((pair) => startPair(pair, settings)));
  for (const { server, client } of pairs) {
    pin(server.pid, placement.server);
    pin(client.pid, placement.client);
  }

  const answers = new Map<string, JsonObject>();
  for (const { stack, arms, client } of pairs) {
    const arm = firstCalled(arms, round);
    if (arm === undefined) continue;
    const first = await client.ask<FirstCallAnswer>({ ask: "firstCall", armId: arm.id });
    if (first.outcome !== "OK") {
      throw new RunnerError(
        "answers-differ",
        `the first ${stack} call ended with ${first.outcome}; no number is given`,
      );
    }
    log.firstCalls.push({ armId: arm.id, round, firstCallMs: first.firstCallMs });
  }

  await Promise.all(
    pairs.map(async ({ client }) => {
      await client.ask<null>({ ask: "setup", steps: settings.setup });
      const answered = await client.ask<AnswersAnswer>({ ask: "answers" });
      log.responsesCompared += answered.responses;
      for (const [armId, answer] of Object.entries(answered.answers)) answers.set(armId, answer);
    }),
  );
  verifyAnswers(settings.arms, answers);

  // Nothing is timed yet: what one pair leaves idle of the two cores, another may use to get its code compiled.
  await Promise.all(pairs.map(({ client }) => client.ask<WarmUpAnswer>({ ask: "warmUp", rule: warmUpRules.together })));
  for (const { stack, client } of pairs) {
    const { calls, elapsedMs, settled } = await client.ask<WarmUpAnswer>({ ask: "warmUp", rule: warmUpRules.alone });
    log.warmUps.push({ stack, round, calls, elapsedMs, settled });
  }
}

/** Runs the blocks in their order. Resolves to false when the caller ended the round early. */
async function runBlocks(
  pairs: readonly Pair[],
  schedule: readonly ScheduledBlock[],
  log: RoundLog,
  onProgress: OnProgress,
): Promise<boolean> {
  const pairOf = new Map(pairs.map((pair) => [pair.stack, pair]));
  for (const [index, { arm, tasks }] of schedule.entries()) {
    const pair = pairOf.get(arm.stack);
    if (pair === undefined || !onProgress(index, schedule.length)) return false;
    const serverCpuBefore = await childCpuMs(pair.server);
    const answer = await pair.client.ask<BlockAnswer>({ ask: "block", armId: arm.id, tasks });
    const serverCpuMs = (await childCpuMs(pair.server)) - serverCpuBefore;
    log.addBlock(arm.id, index, tasks, serverCpuMs, answer);
  }
  return true;
}

const lastWordsMs = 250;

/** A call fails before the runner hears that its server has gone: then it is the server's end that is to be told. */
async function rootCause(thrown: unknown, children: readonly Child[]): Promise<unknown> {
  if (thrown instanceof RunnerError && thrown.code === "process-died") return thrown;
  const ends = await Promise.all(children.map((child) => child.ended(lastWordsMs)));
  return ends.find((end) => end !== undefined) ?? thrown;
}

/**
 * Runs one round and keeps a log of it. Resolves to false when it was ended early: between blocks by the caller, at once by the signal
 * while nothing is timed yet. Rejects with a RunnerError; its processes are gone in any case.
 */
export async function runRound(
  settings: RoundSettings,
  round: number,
  placement: Placement,
  log: RoundLog,
  onProgress: OnProgress,
): Promise<boolean> {
  const byStack = [...Map.groupBy(settings.arms, (arm) => arm.stack)];
  // Launch order is random too: a fixed one has been seen to favour the first.
  const pairs = shuffled(byStack, seedOf(settings.seed, round, -1)).map(([stack, arms]): Pair => ({
    stack,
    arms,
    server: new Child({ file: processFile("server"), label: `${stack} server` }),
    client: new Child({ file: processFile("client"), label: `${stack} client` }),
  }));
  const children = pairs.flatMap(({ server, client }) => [client, server]);
  try {
    const prepared = await unlessAborted(prepare(pairs, settings, round, placement, log), settings.signal);
    return prepared && (await runBlocks(pairs, scheduleRound(settings.arms, settings.seed, round), log, onProgress));
  } catch (thrown) {
    throw await rootCause(thrown, children);
  } finally {
    await Promise.all(children.map((child) => (settings.signal.aborted ? child.stop(0) : child.stop())));
  }
}
