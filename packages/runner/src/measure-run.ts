// Measures: rounds until all are done, the budget is spent, or somebody interrupts; writes facts down and thinks nothing.
import type { Block, Environment, FirstCall, RunFacts, WarmUp, Warning } from "@roundtrip/analysis";
import type { Stack } from "@roundtrip/stacks";
import { armsOf, factsOfArm } from "./arm.ts";
import { describeEnvironment } from "./environment.ts";
import { linkOf, measureTarget } from "./link/target-link.ts";
import { placements, type Placements } from "./processes/cores.ts";
import type { ContractSource, ServiceSource } from "./processes/messages.ts";
import { runRound, type OnProgress } from "./round.ts";
import { shareOfRound } from "./share-of-round.ts";
import { RoundLog } from "./round-log.ts";
import { openRunDirectory } from "./run-directory/run-directory.ts";
import { loadContract } from "./processes/load-source.ts";
import { RunnerError } from "./runner-error.ts";
import { spareTargets, type Spared } from "./spare-targets.ts";
import type { Study } from "./study.ts";
import { targetWarnings } from "./target-warnings.ts";
import type { Target } from "./target.ts";

export interface MeasureOptions {
  readonly studies: readonly Study[];
  readonly stacks: readonly Stack[];
  /** Servers of some of the stacks that run already: of these only the clients are started. */
  readonly targets: readonly Target[];
  /** Whether tasks that write are measured on targets too. */
  readonly targetsAreDisposable: boolean;
  /** A server that leaves a call unanswered for longer ends the run. */
  readonly answerLimitMs: number;
  readonly contract: ContractSource;
  readonly service: ServiceSource;
  readonly directory: string;
  readonly seed: number;
  readonly rounds: number;
  /** Wall-clock time for measuring; fewer rounds are done when it does not suffice. */
  readonly budgetMs: number;
  readonly tls: { readonly key: string; readonly cert: string; readonly ca: string } | undefined;
  /** As typed, for the record. */
  readonly command: string;
}

/** How far a run is: shown by the command line between blocks. */
export interface Progress {
  readonly round: number;
  readonly rounds: number;
  /** Share of all blocks that are done, 0 to 1. */
  readonly done: number;
  readonly elapsedMs: number;
  /** Estimated from the blocks so far; undefined before the first. */
  readonly remainingMs: number | undefined;
}

/** The arms to measure, and what to know of them. Throws `bad-plan` when none is left. */
function chosenArms({ studies, stacks, targets, targetsAreDisposable, contract }: MeasureOptions): Spared {
  const all = armsOf(studies, stacks, targets);
  const { measured, warnings } = targetsAreDisposable
    ? { measured: all, warnings: [] }
    : spareTargets(all, loadContract(contract));
  if (measured.length === 0) {
    throw new RunnerError(
      "bad-plan",
      ["nothing is left to measure", ...warnings.map(({ message }) => message)].join(": "),
    );
  }
  return { measured, warnings: [...targetWarnings(measured), ...warnings] };
}

async function environmentOf(
  stacks: readonly Stack[],
  targets: readonly Target[],
  places: Placements,
): Promise<Environment> {
  const hasServersHere = stacks.length > targets.length;
  const facts = await Promise.all(targets.map(measureTarget));
  const placement = hasServersHere ? places.words : places.wordsOfClients;
  return describeEnvironment(stacks, await linkOf(facts, hasServersHere), placement, facts);
}

/**
 * Measures and leaves a readable run directory behind in every case, even when it rejects.
 * Rejects with a RunnerError: `answers-differ`, `process-died`, `no-answer`, `budget-too-small`, `unwritable`, `bad-plan`.
 */
export async function measureRun(
  options: MeasureOptions,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<RunFacts> {
  const { stacks, targets, rounds, seed, budgetMs } = options;
  const { measured: arms, warnings: told } = chosenArms(options);
  const placement = placements();
  const environment = await environmentOf(stacks, targets, placement);
  const output = openRunDirectory(options.directory);
  const startedAt = new Date().toISOString();
  const startedAtMs = performance.now();

  const blocks: Block[] = [];
  const firstCalls: FirstCall[] = [];
  const warmUps: WarmUp[] = [];
  const warnings: Warning[] = [...told];
  let roundsDone = 0;
  let responsesCompared = 0;
  let agreed = true;
  let status: RunFacts["status"] = "failed";
  const elapsedMs = (): number => performance.now() - startedAtMs;
  const facts = (): RunFacts => ({
    startedAt,
    durationMs: elapsedMs(),
    seed,
    command: options.command,
    status,
    environment,
    warnings,
    arms: arms.map(factsOfArm),
    blocks,
    firstCalls,
    warmUps,
    verification: {
      responsesCompared,
      answerGroups: new Set(arms.map((arm) => arm.answerKey)).size,
      agreed,
    },
    roundsPlanned: rounds,
    roundsDone,
  });

  const settings = {
    arms,
    seed,
    contract: options.contract,
    service: options.service,
    tls: options.tls,
    targets,
    answerLimitMs: options.answerLimitMs,
    signal,
  };
  // A failure that leaves nothing to be written must not hide what failed first.
  const writeWhatThereIs = (): void => {
    try {
      output.writeFacts(facts(), []);
    } catch (thrown) {
      if (!(thrown instanceof RunnerError)) throw thrown;
    }
  };

  try {
    let lastRoundMs = 0;
    let share = 1;
    let leastShare = 1;
    let startUpMs = 0;
    output.writeFacts(facts(), []);
    onProgress({ round: 0, rounds, done: 0, elapsedMs: elapsedMs(), remainingMs: undefined });
    for (let round = 0; round < rounds && !signal.aborted; round += 1) {
      if (round > 0) {
        const blocksMs = (lastRoundMs - startUpMs) / share;
        share = shareOfRound({ roundsLeft: rounds - round, leftMs: budgetMs - elapsedMs(), startUpMs, blocksMs });
        if (share === 0) break;
        leastShare = Math.min(leastShare, share);
      }
      const roundStartedMs = elapsedMs();
      const log = new RoundLog(round, Date.parse(startedAt));
      const onBlock: OnProgress = (blocksDone, blocksPlanned) => {
        if (blocksDone === 0) startUpMs = elapsedMs() - roundStartedMs;
        const done = (round + blocksDone / blocksPlanned) / rounds;
        const remainingMs =
          done === 0 ? undefined : Math.min((elapsedMs() / done) * (1 - done), budgetMs - elapsedMs());
        onProgress({ round, rounds, done, elapsedMs: elapsedMs(), remainingMs });
        if (round === 0 && elapsedMs() > budgetMs) {
          const perBlockMs = blocksDone === 0 ? 0 : (elapsedMs() - startUpMs) / blocksDone;
          const needsMs = 1.2 * (startUpMs + perBlockMs * blocksPlanned);
          throw new RunnerError(
            "budget-too-small",
            `the budget of ${budgetMs / 1000} s is too small for one round: give at least --budget ${Math.ceil(needsMs / 1000)}s, or fewer studies or stacks`,
          );
        }
        // A round that began in time and takes far longer than the one before is not waited for either.
        return !signal.aborted && (round === 0 || elapsedMs() <= budgetMs + lastRoundMs);
      };
      let isComplete = false;
      try {
        isComplete = await runRound(settings, { round, share, placement: placement.ofRound(round) }, log, onBlock);
        if (isComplete) roundsDone += 1;
      } finally {
        // Calls first: facts never speak of calls that could not be written.
        output.samples.write(log.rows());
        blocks.push(...log.blocks);
        firstCalls.push(...log.firstCalls);
        warmUps.push(...log.warmUps);
        responsesCompared += log.responsesCompared;
      }
      if (!isComplete) break;
      lastRoundMs = elapsedMs() - roundStartedMs;
      output.writeFacts(facts(), []);
    }
    status = signal.aborted && roundsDone < rounds ? "interrupted" : "complete";
    if (status === "complete" && roundsDone < rounds) {
      const message = `the budget of ${budgetMs / 1000} s was enough for ${roundsDone} of ${rounds} rounds`;
      warnings.push({ code: "budget", message });
    }
    if (leastShare < 1) {
      const message = `the budget of ${budgetMs / 1000} s was short: some rounds made only ${Math.round(100 * leastShare)} % of their calls`;
      warnings.push({ code: "fewer-calls", message });
    }
    output.writeFacts(facts(), []);
  } catch (thrown) {
    agreed = !(thrown instanceof RunnerError && thrown.code === "answers-differ");
    writeWhatThereIs();
    throw thrown;
  } finally {
    output.samples.close();
  }
  return facts();
}
