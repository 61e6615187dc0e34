// What a run is made of, for those who put it together in another way: `@roundtrip/runner/parts`.
export { armsOf, factsOfArm, type Arm } from "./arm.ts";
export type { Configuration } from "./configuration.ts";
export { describeEnvironment } from "./environment.ts";
export { noLinks, openLinks } from "./link/open-links.ts";
export { Pair, type PairSettings } from "./pair.ts";
export { Child, processFile } from "./processes/child.ts";
export { pin, placements, type Placement } from "./processes/cores.ts";
export { childCpuMs, cpuMsOf } from "./processes/process-cpu.ts";
export { openRunDirectory } from "./run-directory/run-directory.ts";
export type { SampleRows } from "./run-directory/samples-parquet.ts";
export { seedOf, shuffled } from "./seeded-order.ts";
