// Uplink: what the measurements of 2015 suspected of their network. The same powers behind a line that carries less than one thread computes, and behind
// one that carries less than two do, on 1, 2, 4, 8 and 16 threads; and an overload of two lengths, because a queue beyond capacity grows as long as it is measured.
import { linkDefaults, type Study } from "@roundtrip/runner";
import { overloads, powersAtRates } from "../powers.ts";

/** Three fifths of what one core computes, which takes 2.4 Mbit/s of requests and answers, and half more than one core. */
const [belowHz, aboveHz] = [250, 600];

/** A line below the first, and one that two threads fill and one does not, as theirs was supposed to be: their 6 Mbit/s carry more than two cores compute here. */
const [narrowMbps, twofoldMbps] = [2, 3.6];

function behind(bandwidthMbps: number, threads: readonly number[], ...ratesHz: readonly number[]): Study["tasks"] {
  return powersAtRates(ratesHz, {
    serviceSettings: { matrix: { threads } },
    links: [{ ...linkDefaults, rttMs: 1, bandwidthMbps }],
    setup: [],
    styles: ["grpc"],
    computesOnThreads: true,
    // On one core a second thread has nothing to run on.
    servedOnBothCores: true,
  });
}

/** Far above what one core computes. */
const overloadHz = 1_240;

export const study: Study = {
  name: "uplink",
  title: "Uplink",
  question: "When the line is the bottleneck, do more threads help?",
  rounds: 6,
  budgetMs: 70_000,
  takesFirstCalls: false,
  tasks: [
    ...behind(narrowMbps, [1], belowHz),
    ...behind(twofoldMbps, [1], belowHz, aboveHz),
    // A caller alone, who comes first, takes as long with more threads.
    ...behind(narrowMbps, [16], belowHz).slice(1),
    ...behind(twofoldMbps, [2, 4, 8, 16], aboveHz).slice(1),
    ...overloads(overloadHz, [60, 240], { setup: [], styles: ["grpc"] }),
  ],
};
