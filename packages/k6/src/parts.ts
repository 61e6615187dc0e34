// What a run of k6 is made of, for those who put it together in another way: `@roundtrip/k6/parts`.
export { Instances } from "./instances/instances.ts";
export { readResults } from "./results/read-results.ts";
