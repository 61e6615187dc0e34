// The machine of a run in few words.
import type { Environment } from "@roundtrip/analysis";

/** `Node.js 24 on Xeon, 2 cores, Linux 6`; undefined where results came from elsewhere and did not report it. */
export function machineText({ runtime, cpuModel, cores, kernel }: Environment): string | undefined {
  return cores === 0 ? undefined : `${runtime} on ${cpuModel}, ${cores} cores, ${kernel}`;
}
