// The study of linked data over a distance of the kernel's own TCP: every variant waits for as many round trips as its calls in sequence, which
// linked.test.ts holds against their formulas.
import { linkDefaults, measureRun } from "@roundtrip/runner";
import { readRun } from "@roundtrip/runs/read";
import { expect, it } from "vitest";
import { needing } from "../../.ci/needs/needing.ts";
import { shortRun } from "../../packages/runner/test/support/short-run.ts";
import { study } from "../studies/linked.ts";

// So far that the little that even a fastest call waits for a busy processor is a small part of a round trip.
const [nearMs, farMs] = [1, 200];

/** The tasks over a distance: near much more often, because there the processor is most of a task. */
const overDistance = study.tasks
  .filter(({ name, links }) => name === "statement-over-distance" && links.some(({ rttMs }) => rttMs === nearMs))
  .flatMap((task) =>
    [
      { rttMs: nearMs, times: 24 },
      { rttMs: farMs, times: 4 },
    ].map(({ rttMs, times }) => ({
      ...task,
      links: [{ ...linkDefaults, rttMs }],
      tasksPerRound: times,
      tasksPerBlock: times / 2,
    })),
  );

const options = { timeout: 600_000, ...(await needing("kernel-link")) };

it("waits for the round trips of its calls in sequence, within 0.05 for each", options, async () => {
  const stackNames = ["grpc-js", "rest-express", "graphql-apollo"];
  const studies = [{ ...study, tasks: overDistance }];
  const limits = { warmUpMs: 2_000, budgetMs: 600_000, answerLimitMs: 60_000 };
  const run = await shortRun({ studies, stackNames, link: "kernel", rounds: 1, ...limits });
  await measureRun(run, new AbortController().signal, () => undefined);
  const { facts, samples } = await readRun(run.directory);
  const tasks = new Map<string, { arm: number; fromNs: number; toNs: number }>();
  for (const [row, arm] of samples.arm.entries()) {
    const key = [arm, samples.round[row], samples.block[row], samples.task[row]].join();
    const { fromNs, toNs } = tasks.get(key) ?? { fromNs: Infinity, toNs: 0 };
    const [startedAtNs = Infinity, endedAtNs = 0] = [samples.startedAtNs[row], samples.endedAtNs[row]];
    tasks.set(key, { arm, fromNs: Math.min(fromNs, startedAtNs), toNs: Math.max(toNs, endedAtNs) });
  }
  // The fastest: whatever else the machine does only adds to it.
  const fastestMs = (arm: number): number =>
    Math.min(...[...tasks.values()].flatMap((task) => (task.arm === arm ? [(task.toNs - task.fromNs) / 1e6] : [])));
  const linkMs = new Map(facts.environment.links?.map(({ asked, rttMs }) => [asked.rttMs, rttMs]));
  const measuredMs = (linkMs.get(farMs) ?? 0) - (linkMs.get(nearMs) ?? 0);
  const arms = facts.arms.map((arm, at) => ({ ...arm, at, inSequence: arm.callsInSequence ?? arm.callsPerTask }));
  const perStage = arms.flatMap(({ at, stack, variant, factors, inSequence }) => {
    const near = arms.find((arm) => arm.stack === stack && arm.variant === variant && arm.factors["rttMs"] === nearMs);
    if (factors["rttMs"] !== farMs || near === undefined) return [];
    return [{ stack, variant, roundTrips: (fastestMs(at) - fastestMs(near.at)) / measuredMs / inSequence }];
  });
  expect(perStage.length).toBe(16);
  // One digit: less than 0.05 away.
  expect(perStage).toEqual(perStage.map((row) => ({ ...row, roundTrips: expect.closeTo(1, 1) })));
});
