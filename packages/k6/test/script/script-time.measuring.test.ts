// When the script on the real k6 calls: at the moments of its schedule, from one T0 on.
import { closedLoop } from "@roundtrip/runner";
import { afterAll, describe, expect, it } from "vitest";
import { armsFor, greeting, planFor, poissonAt, under } from "../support/runner-arms.ts";
import {
  callsIn,
  instanceIn,
  k6Here,
  named,
  planned,
  scriptRuns,
  type ScriptRuns,
  withK6,
} from "../support/script-runs.ts";

const runs = k6Here === undefined ? undefined : await scriptRuns();
afterAll(() => runs?.[Symbol.asyncDispose]());
const { written, k6 } = runs ?? ({} as ScriptRuns);

describe.concurrent("the script's time", { timeout: 60_000, ...withK6 }, () => {
  it("does a task on one of two instances only, all tasks on both together, from the same T0 on", async () => {
    const tasks = [under(poissonAt(400), greeting, 60), greeting];
    const plan = await planFor(await armsFor(tasks, ["rest-express", "grpc-js"]));
    const directory = await written(plan);
    const sequence = ["--execution-segment-sequence", "0,1/2,1"];
    const t0 = String(Date.now() + 4_000);
    const halves = await Promise.all(
      ["0:1/2", "1/2:1"].map((segment) => k6(directory, ["--execution-segment", segment, ...sequence], { T0: t0 })),
    );
    expect(halves.map(({ status }) => status)).toEqual([0, 0]);
    expect(halves.flatMap(({ samples }) => callsIn(samples).map(named)).toSorted()).toEqual(planned(plan).toSorted());
    const open = plan.cells.filter(({ arrivalsMs }) => arrivalsMs !== null).map(({ name }) => name);
    for (const { samples } of halves) {
      expect(instanceIn(samples)?.value).toBe(Number(t0));
      expect(callsIn(samples).some(({ tags }) => open.includes(tags["scenario"] ?? ""))).toBe(true);
    }
  });

  it("has callers think before each task, and reports when each was due", async () => {
    const load = { pacer: closedLoop({ thinkMs: 20, thinkTime: "constant" }) };
    const plan = await planFor(await armsFor([under(load, greeting, 8, 2)], ["rest-express"]));
    const { samples } = await k6(await written(plan));
    const calls = callsIn(samples);
    expect(calls).toHaveLength(8);
    const begins = plan.cells[0]?.beginsMs ?? Number.NaN;
    for (const { metadata } of calls) {
      expect(Number(metadata["at"])).toBeGreaterThanOrEqual(Number(metadata["due"]) - 0.01);
      expect(Number(metadata["due"])).toBeGreaterThanOrEqual(begins + 10);
    }
  });

  it("ends where T0 is over before it begins", async () => {
    const plan = await planFor(await armsFor([greeting], ["rest-express"]));
    const { status, stderr } = await k6(await written(plan), [], { T0: String(Date.now() - 1_000) });
    expect(status).not.toBe(0);
    expect(stderr).toContain("T0 was over before this instance was ready");
  });
});
