// What faults leave behind: signals to the program, a server or a client at random moments of a short bench.
import { faultsFrom, faultText, type InjectedFault } from "../faults/fault.ts";
import { tryFault, meanRanges, type TryResult, type MeanRanges } from "../faults/one-try.ts";
import { keptRun, startShortBench, type FaultedRun } from "../faults/short-bench.ts";
import type { Figure, Measure, MeasureOptions } from "../measure.ts";

/** Every fourth has an emulated network. */
const untouchedRuns = 8;
/** Runs mostly wait for their processes. */
const sideBySide = 2;

interface Tried {
  readonly fault: InjectedFault;
  readonly result: TryResult;
}

/** Does all the work, this much at a time. */
async function inLanes<T>(jobs: readonly (() => Promise<T>)[]): Promise<readonly T[]> {
  const results: T[] = [];
  const waiting = jobs.entries();
  const lane = async (): Promise<void> => {
    for (const [index, job] of waiting) results[index] = await job();
  };
  await Promise.all(Array.from({ length: sideBySide }, lane));
  return results;
}

interface Untouched {
  readonly kept: FaultedRun;
  readonly elapsedMs: number;
}

async function untouched(seed: number): Promise<Untouched> {
  using bench = startShortBench(seed);
  const startedAtMs = performance.now();
  const { status, stderr } = await bench.ended;
  const elapsedMs = performance.now() - startedAtMs;
  const kept = await keptRun(bench.out);
  if (status !== 0 || typeof kept === "string")
    throw new Error(`bench ended with ${status} without a fault: ${stderr}`);
  return { kept, elapsedMs };
}

/** Everything that was wrong after a try, in words. */
function wrongs({ fault, result }: Tried): readonly string[] {
  const { processes, namespaces, temporaryFiles, isUnreadable, wrongFigures, undocumentedExits } = result;
  return [
    ...processes.map((what) => `left the process ${what}`),
    ...namespaces.map((what) => `left the namespace ${what}`),
    ...temporaryFiles.map((what) => `left the temporary file ${what}`),
    ...(isUnreadable ? ["left a run directory that cannot be read"] : []),
    ...wrongFigures.map((what) => `reported without a warning that ${what}`),
    ...undocumentedExits,
  ].map((what) => `${faultText(fault)} ${what}`);
}

function figuresOf(tries: readonly Tried[]): readonly Figure[] {
  const hit = tries.filter(({ result }) => result.wasDelivered).length;
  const sum = (each: (result: TryResult) => number): number => tries.reduce((all, { result }) => all + each(result), 0);
  const count = (of: string, each: (result: TryResult) => number): Figure => ({
    of: `${of}, of ${hit} faults`,
    value: sum(each),
    interval: null,
    unit: "",
    atMost: 0,
  });
  const judged = sum(({ judgedFigures }) => Number(judgedFigures > 0));
  return [
    count("processes left", ({ processes }) => processes.length),
    count("namespaces left", ({ namespaces }) => namespaces.length),
    count("temporary files and folders left", ({ temporaryFiles }) => temporaryFiles.length),
    count("run directories that cannot be read", ({ isUnreadable }) => Number(isUnreadable)),
    {
      of: `tries whose figures were judged, of ${tries.length}`,
      value: judged,
      interval: null,
      unit: "",
      atMost: undefined,
    },
    count("figures silently wrong", ({ wrongFigures }) => wrongFigures.length),
    count("ends that are not documented", ({ undocumentedExits }) => undocumentedExits.length),
  ];
}

async function run({ rounds, seed, onProgress }: MeasureOptions): Promise<readonly Figure[]> {
  onProgress("runs without faults");
  const before = await inLanes(Array.from({ length: untouchedRuns }, (_, index) => () => untouched(index)));
  const ranges: MeanRanges = meanRanges(before.map(({ kept }) => kept));
  const spanMs = Math.min(...before.map(({ elapsedMs }) => elapsedMs));
  let done = 0;
  const tries = await inLanes(
    faultsFrom(seed, rounds, spanMs).map((fault, index) => async () => {
      const tried = { fault, result: await tryFault(fault, seed + index, ranges) };
      done += 1;
      onProgress(`${done} of ${rounds} tries`);
      // The details are more useful than the count.
      for (const wrong of wrongs(tried)) process.stderr.write(`faults: ${wrong}\n`);
      return tried;
    }),
  );
  return figuresOf(tries);
}

export const measure: Measure = {
  name: "faults",
  title: "what signals to the program, a server or a client at random moments of a short bench leave behind",
  onlyWhenNamed: true,
  rounds: 200,
  run,
};
