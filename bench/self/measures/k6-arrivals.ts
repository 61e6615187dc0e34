// Whether two instances of k6 together send as irregularly as drawn, each call once, and on time when idle:
// docs/decisions/0190-clock-and-t0-of-k6-scripts.md.
import {
  contractImage,
  exportFiles,
  findK6,
  k6ArmsOf,
  patientTiming,
  planOf,
  writeExport,
  type K6Program,
} from "@roundtrip/k6";
import { Instances, readResults } from "@roundtrip/k6/parts";
import { quantile, sortedCopy } from "@roundtrip/analysis/statistics";
import { poisson, type Study } from "@roundtrip/runner";
import { armsOf, placements, scheduleRound } from "@roundtrip/runner/parts";
import { realService } from "@roundtrip/service";
import { loadServe, loadStack, serveDefaults } from "@roundtrip/stacks";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { greeting } from "../../greeting.ts";
import { meanIntervals } from "../mean-intervals.ts";
import type { Measure, MeasureOptions } from "../measure.ts";

interface Load {
  readonly rateHz: number;
  readonly tasks: number;
}

/** Enough to compare gaps with the drawn ones. */
const many: Load = { rateHz: 500, tasks: 5_000 };
/** So slow that only k6's own waiting delays a call: a generator that falls behind here makes every slow cell void. */
const slow: Load = { rateHz: 50, tasks: 200 };
const instances = 2;
const stack = "rest-express";
/** The same arrivals in every round, so that rounds differ only by the machine. */
const seed = 1;

const studyAt = ({ rateHz, tasks }: Load): Study => ({
  name: "arrivals",
  title: "Arrivals",
  question: "Do instances send when the schedule says?",
  rounds: 1,
  tasks: [
    {
      name: "hello",
      factors: {},
      settings: {},
      links: [],
      ...greeting,
      load: { pacer: poisson({ rateHz }) },
      tasksPerRound: tasks,
      tasksPerBlock: tasks,
    },
  ],
});

interface Seen {
  /** Coefficient of variation of the gaps: as drawn, as sent by all instances, and as sent by one instance alone. */
  readonly drawn: number;
  readonly merged: number;
  readonly alone: number;
  readonly lost: number;
  readonly doubled: number;
  readonly lateMedianMs: number;
  readonly lateP99Ms: number;
}

/** @param moments in ascending order */
function variationOf(moments: Float64Array): number {
  const gaps = moments.slice(1).map((atMs, at) => atMs - (moments[at] ?? 0));
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  return Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length) / mean;
}

async function sentUnder(load: Load, k6: K6Program, folder: string): Promise<Seen> {
  const { contract, bytes, hash } = contractImage({ kind: "built-in" });
  const arms = armsOf([studyAt(load)], [await loadStack(stack)]);
  const prepared = await k6ArmsOf(arms, contract);
  const schedule = scheduleRound(arms, seed, 0);
  const round = { seed, round: 0, firstBlock: 0, contractHash: hash, timing: patientTiming(5) };
  const plan = planOf({ prepared, schedule, ...round });
  const script = join(folder, "script");
  await writeExport(script, exportFiles({ plans: [plan], contract: bytes, protoFiles: [] }));

  const service = realService(contract);
  const server = await (await loadServe(stack))(service, serveDefaults);
  const all = new Instances({
    k6,
    count: instances,
    script: join(script, "script.js"),
    folder,
    home: folder,
    env: { PREPARED: "1", REST_URL: server.url },
    secrets: {},
    core: placements().ofRound(0).client,
    readyLimitMs: 60_000,
  });
  try {
    await all.start();
    await all.resume();
    await all.settled();
  } finally {
    await all.stop(0);
    await server.close();
    await service.close();
  }
  const { rounds } = await readResults(all.files, [plan]);
  const [done] = rounds;
  const [cell] = plan.cells;
  if (done === undefined || cell === undefined || rounds.length > 1)
    throw new Error(`${rounds.length} rounds were begun`);
  const { atMs, instance, sums } = done.calls;
  const sent = (index: number): boolean => !Number.isNaN(atMs[index]);
  const ofFirst = atMs.filter((_, index) => sent(index) && instance[index] === 0);
  const arrivals = Float64Array.from(cell.arrivalsMs ?? []);
  const late = sortedCopy(
    atMs.map((at, index) => at - cell.beginsMs - (arrivals[index] ?? 0)).filter((ms) => !Number.isNaN(ms)),
  );
  return {
    drawn: variationOf(arrivals),
    merged: variationOf(atMs.filter((_, index) => sent(index)).toSorted()),
    alone: variationOf(ofFirst.toSorted()),
    lost: atMs.filter((at) => Number.isNaN(at)).length,
    doubled: sums.reduce((sum, { doubled }) => sum + doubled, 0),
    lateMedianMs: quantile(late, 0.5),
    lateP99Ms: quantile(late, 0.99),
  };
}

const offOne = (variation: number): number => 100 * Math.abs(variation - 1);

const rows: readonly {
  readonly of: string;
  readonly under: Load;
  readonly value: (seen: Seen) => number;
  readonly unit: string;
  readonly atMost: number | undefined;
}[] = [
  {
    of: "coefficient of variation of the gaps as drawn, off 1 by",
    under: many,
    value: ({ drawn }) => offOne(drawn),
    unit: "%",
    atMost: undefined,
  },
  {
    of: "the same as both instances sent, merged",
    under: many,
    value: ({ merged }) => offOne(merged),
    unit: "%",
    atMost: 3,
  },
  {
    of: "the same of one instance alone",
    under: many,
    value: ({ alone }) => offOne(alone),
    unit: "%",
    atMost: undefined,
  },
  { of: "arrivals that were lost", under: many, value: ({ lost }) => lost, unit: "", atMost: 0 },
  { of: "arrivals that came twice", under: many, value: ({ doubled }) => doubled, unit: "", atMost: 0 },
  { of: "lateness, median", under: many, value: ({ lateMedianMs }) => lateMedianMs, unit: "ms", atMost: undefined },
  { of: "lateness, p99", under: many, value: ({ lateP99Ms }) => lateP99Ms, unit: "ms", atMost: undefined },
  {
    of: "lateness at 50 a second, median",
    under: slow,
    value: ({ lateMedianMs }) => lateMedianMs,
    unit: "ms",
    atMost: 0.05,
  },
  {
    of: "lateness at 50 a second, p99",
    under: slow,
    value: ({ lateP99Ms }) => lateP99Ms,
    unit: "ms",
    atMost: undefined,
  },
];

async function run({ rounds, seed: intervalSeed, onProgress }: MeasureOptions) {
  const k6 = await findK6();
  const seen = new Map<Load, Seen[]>([
    [many, []],
    [slow, []],
  ]);
  for (let round = 0; round < rounds; round += 1) {
    onProgress(`round ${round + 1} of ${rounds}`);
    for (const [load, ofLoad] of seen) {
      const folder = await mkdtemp(join(tmpdir(), "roundtrip-k6-arrivals-"));
      try {
        ofLoad.push(await sentUnder(load, k6, folder));
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }
  }
  // Percentages and milliseconds are separate families: the variation of one says nothing about the other.
  return rows.map(({ of, under, value, unit, atMost }) => {
    const [computed] = meanIntervals([(seen.get(under) ?? []).map(value)], intervalSeed);
    return { of, value: computed?.mean ?? Number.NaN, interval: computed?.interval ?? null, unit, atMost };
  });
}

export const measure: Measure = {
  name: "k6-arrivals",
  title: "5,000 Poisson arrivals at 500 a second, by two instances of k6 on one core",
  rounds: 6,
  run,
};
