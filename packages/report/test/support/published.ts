// The published figures of the two papers, as a caller passes them in.
import type { PublishedFigures } from "@roundtrip/runs";

const facadeMs = [99.5, 100.83333333, 103.5, 107.5, 107.5, 110];
const chattyMs = [94.5, 191.33333333, 283, 369.66666667, 449.33333333, 544];

const perCall = (variant: string, label: string, bulkMs: readonly number[]): PublishedFigures["rows"] =>
  bulkMs.map((ms, index) => ({
    label,
    task: null,
    style: null,
    variant,
    factors: { attributes: index + 1 },
    meanMs: ms / 100,
    stddevMs: null,
  }));

export const rablou2010: PublishedFigures = {
  study: "facade",
  name: "Rablou 2010",
  source:
    "C. Rablou, Optimizing Client Latency in a Distributed System by Using the Remote Facade Design Pattern, 2010, table 2",
  setting: "Mean of 6 bulks of 100 identical operations, divided by 100, served from memory, transport security off.",
  caveats: ["Another machine, another decade: compare shapes, not milliseconds."],
  claims: [],
  rows: [...perCall("facade", "façade", facadeMs), ...perCall("chatty", "chatty", chattyMs)],
};

const ofStyle = (label: string, style: string, meanMs: number, stddevMs: number): PublishedFigures["rows"][number] => ({
  label,
  task: null,
  style,
  variant: "single",
  factors: {},
  meanMs,
  stddevMs,
});

export const djurhuus2020: PublishedFigures = {
  study: "hello",
  name: "Djurhuus 2020",
  source: "S. Djurhuus, P. Lorup, Remote Procedure Call, 16 December 2020, table 1",
  setting: "500 iterations per style, client and server on one machine.",
  caveats: [
    "The first call is inside the samples and carries 60 to 93 % of the variance.",
    "The RPC arm is JSON over HTTP, not gRPC.",
  ],
  claims: [],
  rows: [
    ofStyle("RPC", "grpc", 2.334, 1.19),
    ofStyle("REST", "rest", 2.529, 1.576),
    ofStyle("GraphQL", "graphql", 2.636, 2.52),
  ],
};
