// When the tasks of open loops were to begin, block by block: what a queue that takes the same arrivals is given.
import type { Arm, Samples } from "../run.ts";

/** By arm: the intended starts of each block in milliseconds since the run's start, ascending. Arms without an open loop are left out. */
export function arrivalsByArm(arms: readonly Arm[], samples: Samples): ReadonlyMap<string, readonly Float64Array[]> {
  const blocks = new Map<string, Map<number, number[]>>();
  for (let row = 0; row < samples.length; row += 1) {
    const arm = arms[samples.arm[row] as number];
    // Later calls of a task begin when those before them have ended.
    if (arm?.load?.loop !== "open" || samples.step[row] !== 0) continue;
    const ofArm = blocks.get(arm.id) ?? new Map<number, number[]>();
    blocks.set(arm.id, ofArm);
    const key = (samples.round[row] as number) * 2 ** 26 + (samples.block[row] as number);
    const moments = ofArm.get(key) ?? [];
    ofArm.set(key, moments);
    moments.push((samples.intendedAtNs[row] as number) / 1e6);
  }
  return new Map(
    [...blocks].map(([id, ofArm]) => [id, [...ofArm.values()].map((some) => Float64Array.from(some).toSorted())]),
  );
}
