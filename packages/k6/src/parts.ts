// The parts of a k6 run, for benchmarks that combine them in another way: `@roundtrip/k6/parts`.
export { Instances } from "./instances/instances.ts";
export { readResults } from "./results/read-results.ts";
