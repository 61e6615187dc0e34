// `pnpm fuzz:differential`: the differential test for as many requests as asked for.
import {
  count,
  exitStatus,
  jsonOption,
  printJson,
  programNamed,
  run,
  seedFrom,
  seedOption,
} from "../../programs/program.ts";

interface Options {
  readonly requests: number;
  readonly seed?: number;
  readonly minutes: number;
  readonly json?: true;
}

/** A limit is believed to be gone when this many samples beyond it came out right. */
const enoughToTell = 20;
const progressEveryMs = 2_000;

async function ask({ requests: wanted, seed: asked, minutes, json }: Options): Promise<void> {
  const { differential } = await import("./differential.ts");
  const seed = seedFrom(asked);
  const startedAt = performance.now();
  const perSecond = (done: number): number => Math.round(done / ((performance.now() - startedAt) / 1000));
  const say = (text: string): void => void (json === true ? process.stderr : process.stdout).write(`${text}\n`);
  let toldAt = startedAt;

  say(`seed ${seed}`);
  const { requests, limits, difference } = await differential({
    requests: wanted,
    seed,
    limitMs: minutes * 60_000,
    onProgress(done) {
      if (performance.now() - toldAt < progressEveryMs) return;
      toldAt = performance.now();
      process.stderr.write(`${done} of ${wanted} requests, ${perSecond(done)} per second\n`);
    },
  });
  say(`${requests} requests to every stack, ${perSecond(requests)} per second`);
  for (const { limit, applied, differed } of limits) {
    say(`  ${limit.stackName} ${applied} beyond a known limit, ${differed} differ: ${limit.reason}`);
  }
  const gone = limits.filter(({ applied, differed }) => applied >= enoughToTell && differed === 0);
  for (const { limit } of gone) say(`no limit any more: ${limit.stackName}: ${limit.reason}`);
  if (difference === undefined) say("no difference");
  else say(`\nThey differ (again: --seed ${seed} --requests ${wanted}):\n\n${difference}`);
  if (json === true) {
    const uses = limits.map(({ limit: { stackName, reason }, applied, differed }) => ({
      stack: stackName,
      reason,
      applied,
      differed,
    }));
    printJson({ seed, requests, perSecond: perSecond(requests), limits: uses, difference: difference ?? null });
  }
  if (difference !== undefined || gone.length > 0) process.exitCode = exitStatus.found;
}

await run(
  programNamed(
    "fuzz:differential",
    "Asks every stack the same: random calls to the contracts of this project and to contracts made up on the way. Ends with 1 when an " +
      "answer differs, and prints the smallest contract and call that it found for it; or when a known limit is none any more.",
  )
    .option("--requests <n>", "calls of every stack", count, 10_000)
    .option("--minutes <n>", "the longest that it goes on", count, 30)
    .addOption(seedOption())
    .addOption(jsonOption())
    .action(ask),
);
