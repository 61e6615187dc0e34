// `pnpm fuzz:differential`: the differential test with a given number of requests.
import {
  count,
  exitStatus,
  jsonOption,
  namesArgument,
  printJson,
  programNamed,
  run,
  seedFrom,
  seedOption,
} from "../../programs/program.ts";
import { everyOption, stacksAsked, styleStacks } from "../style-stacks.ts";
import type { LimitUse } from "./differential.ts";

interface Options {
  readonly requests: number;
  readonly seed?: number;
  readonly minutes: number;
  readonly every?: true;
  readonly json?: true;
}

/**
 * A limit is reported as no longer needed when this many samples beyond it had the right outcome. Fewer are no evidence: some limits are met only a
 * few times in ten thousand requests, and some of these samples have no visible effect, such as a request that nobody reads.
 */
const enoughToJudge = 20;
const progressEveryMs = 200;

/** One line on a terminal that is overwritten; prints nothing elsewhere. */
class ProgressLine {
  #shownAt = 0;

  show(text: string): void {
    if (!process.stderr.isTTY || performance.now() - this.#shownAt < progressEveryMs) return;
    this.#shownAt = performance.now();
    process.stderr.write(`\r\u001B[K${text}`);
  }

  clear(): void {
    if (process.stderr.isTTY) process.stderr.write("\r\u001B[K");
  }
}

function limitLine({ style, reason, applied, differed }: LimitUse): string {
  const met = applied === 0 ? "not met" : `${applied} beyond it, ${differed} answered otherwise`;
  return `  ${style}: ${reason}: ${met}`;
}

function endOf(requests: number, { requests: wanted, minutes }: Options, isDifferent: boolean): string {
  if (requests === wanted) return `all ${requests} requests were made of every stack`;
  const why = isDifferent
    ? "then answers differed"
    : `then ${minutes === 1 ? "a minute was" : `${minutes} minutes were`} over`;
  return `${requests} of ${wanted} requests were made of every stack, ${why}`;
}

async function ask(given: readonly string[], options: Options): Promise<void> {
  const { requests: wanted, seed: asked, minutes, json } = options;
  const { differential } = await import("./differential.ts");
  const seed = seedFrom(asked);
  const startedAt = performance.now();
  const perSecond = (done: number): number => Math.round(done / ((performance.now() - startedAt) / 1000));
  const say = (text: string): void => void (json === true ? process.stderr : process.stdout).write(`${text}\n`);
  const progress = new ProgressLine();
  let rate = 0;

  say(`seed ${seed}`);
  const { requests, limits, difference } = await differential({
    stacks: stacksAsked(given, options),
    requests: wanted,
    seed,
    limitMs: minutes * 60_000,
    onProgress(done) {
      rate = perSecond(done);
      progress.show(`${done} of ${wanted} requests, ${rate} per second`);
    },
    onShrink: (tried) => progress.show(`answers differ; looking for a smaller request: ${tried} tried`),
  });
  progress.clear();
  say(`${endOf(requests, options, difference !== undefined)}, ${rate} per second`);
  say("known limits:");
  for (const use of limits) say(limitLine(use));
  const gone = limits.filter(({ applied, differed }) => applied >= enoughToJudge && differed === 0);
  for (const { style, reason } of gone) say(`no limit any more: ${style}: ${reason}`);
  if (difference === undefined) say("no difference");
  else say(`\nThey differ (again: --seed ${seed} --requests ${wanted}):\n\n${difference}`);
  if (json === true) printJson({ seed, requests, perSecond: rate, limits, difference: difference ?? null });
  if (difference !== undefined || gone.length > 0) process.exitCode = exitStatus.found;
}

await run(
  programNamed(
    "fuzz:differential",
    "Sends every stack the same random calls, for the contracts of this project and for random contracts. Exits with 1 if an " +
      "answer differs, after printing the smallest contract and call that it found, or if a known limit no longer applies.",
  )
    .addArgument(
      namesArgument(
        "[stack...]",
        "which stacks; the default of each style unless named",
        styleStacks.map(({ name }) => name),
      ),
    )
    .addOption(everyOption())
    .option("--requests <n>", "requests to make of every stack", count, 10_000)
    .option("--minutes <n>", "the longest that it goes on", count, 30)
    .addOption(seedOption())
    .addOption(jsonOption())
    .action(ask),
);
