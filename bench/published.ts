// Published figures, mapped to the arms of the studies that repeat them.
import type { PublishedFigures, SeriesTest } from "@roundtrip/runs";
import { readFileSync } from "node:fs";

interface Rablou {
  readonly source: string;
  readonly design: { readonly callsPerBulk: number };
  readonly table2_meanMs: Readonly<Record<"facade" | "chatty", Readonly<Record<string, number>>>>;
}

interface Djurhuus {
  readonly source: string;
  readonly knownFlaws: readonly string[];
  readonly table1_ms: Readonly<Record<string, { readonly mean: number; readonly stddev: number }>>;
}

interface Khandker {
  readonly source: string;
}

interface Crombe {
  readonly source: string;
}

interface Wcf {
  readonly source: string;
  readonly design: { readonly roundTripMs: readonly number[] };
  readonly smallPayloadCallsPerSecond: Readonly<Record<string, readonly number[]>>;
  readonly largePayloadCallsPerSecond: Readonly<Record<string, readonly number[]>>;
}

function reference(fileName: string): unknown {
  return JSON.parse(readFileSync(new URL(`./reference/${fileName}`, import.meta.url), "utf8"));
}

function rablou(): PublishedFigures {
  const { source, design, table2_meanMs: means } = reference("rablou-2010.json") as Rablou;
  return {
    study: "facade",
    name: "Rablou 2010",
    source,
    setting: "WCF over TCP on one machine, six rounds of 100 identical operations, reads only.",
    caveats: ["The machines of 2010 were slower: compare the shapes, not the milliseconds."],
    claims: [],
    rows: (["facade", "chatty"] as const).flatMap((variant) =>
      Object.entries(means[variant]).map(([attributes, meanMs]) => ({
        label: variant === "facade" ? "façade" : "chatty",
        task: "read",
        style: null,
        variant,
        factors: { attributes: Number(attributes) },
        meanMs: meanMs / design.callsPerBulk,
        stddevMs: null,
      })),
    ),
  };
}

/** The styles by the names that the paper uses. Its RPC is JSON over HTTP. */
const styleOf: Readonly<Record<string, string>> = { RPC: "json-rpc", REST: "rest", GraphQL: "graphql" };

function djurhuus(): PublishedFigures {
  const { source, knownFlaws, table1_ms: rows } = reference("djurhuus-2020.json") as Djurhuus;
  return {
    study: "hello",
    name: "Djurhuus and Lørup 2020",
    source,
    setting: "Hello world on one machine, 500 iterations per style, the first call included.",
    caveats: [`Known weaknesses of that study: ${knownFlaws.join("; ")}.`],
    claims: [],
    rows: Object.entries(rows).map(([label, { mean, stddev }]) => ({
      label,
      task: "hello",
      style: styleOf[label] ?? null,
      variant: "single",
      factors: {},
      meanMs: mean,
      stddevMs: stddev,
    })),
  };
}

/** The bindings of 2009 that call like the stacks here: a call, then its answer, over a kept connection. */
const bindings: Readonly<Record<string, string>> = {
  "NetTcp buffered": "binary TCP",
  "BasicHttp buffered": "HTTP",
  "BasicHttps buffered": "HTTPS",
};

const distances = "one caller, client and server at four distances; milliseconds are those of its calls per second";

function wcfRows(
  rates: Wcf["smallPayloadCallsPerSecond"],
  { roundTripMs }: Wcf["design"],
  { task, variant }: { readonly task: string; readonly variant: string },
): PublishedFigures["rows"] {
  return Object.entries(bindings).flatMap(([binding, label]) =>
    (rates[binding] ?? []).map((perSecond, index) => ({
      label,
      task,
      style: null,
      variant,
      factors: { rttMs: roundTripMs[index] ?? 0 },
      meanMs: 1_000 / perSecond,
      stddevMs: null,
    })),
  );
}

function wcf(): PublishedFigures {
  const { source, design, smallPayloadCallsPerSecond: rates } = reference("wcf-2009.json") as Wcf;
  return {
    study: "network-distance",
    name: "WCF 2009",
    source,
    setting: `Calls with a short string, ${distances}.`,
    caveats: [
      "Those HTTP bindings waited for two round trips a call; the time of processors is that of other machines.",
    ],
    claims: [],
    rows: wcfRows(rates, design, { task: "hello", variant: "single" }),
  };
}

function wcfBulk(): PublishedFigures {
  const { source, design, largePayloadCallsPerSecond: rates } = reference("wcf-2009.json") as Wcf;
  return {
    study: "network-bulk",
    name: "WCF 2009",
    source,
    setting: `Calls with a string of 277 KB, ${distances}.`,
    caveats: [
      "Neither the bandwidth of that network nor its windows are published; the time of processors is that of other machines.",
    ],
    claims: [],
    rows: wcfRows(rates, design, { task: "echo", variant: "buffered" }),
  };
}

/** @param study the study with its levels, or with those that fit into five minutes. */
function khandker(study: string): PublishedFigures {
  const { source } = reference("khandker-1996.json") as Khandker;
  return {
    study,
    name: "Khandker and Teorey 1996",
    source,
    setting:
      "DCE calls between two machines, requests of 0 to 12 packets without a reply, 1 to 9 threads that think for up to 216 ms, 100 calls of each, 15 times.",
    caveats: [
      "Predictions and measurements agreed there, after a fault was mended, with a mean error of 0.18 % and a largest of 17.5 %.",
      "Repeated here are its callers, packets, think times in proportion to a call, and its model; its milliseconds are those of calls that took 8 ms and more, and had no reply.",
    ],
    claims: [
      {
        found:
          "with several callers round trips got longer by thinking, against all expectation, until a fault was mended: connections were given up while callers thought; from then on they got shorter",
        test: { kind: "thinking-shortens-round-trips" },
      },
    ],
    rows: [],
  };
}

const crombeSetting =
  "Powers of a matrix with 50 rows over a home network, exponents from 500 to 1,000, about 0.7 s of work each; here one with 12 rows and about 2 ms.";

/** The findings of 2015, with the study that repeats each. */
const foundIn2015: readonly {
  readonly study: string;
  readonly found: string;
  readonly kind: SeriesTest["kind"] | null;
}[] = [
  {
    study: "load-difficulty",
    found: "the time of the work grows in proportion to the exponent and that of the network stays",
    kind: null,
  },
  {
    study: "load-rates",
    found: "response times are flat until arrivals reach what the server can do, and then explode, as M/M/1 predicts",
    kind: "response-explodes-at-capacity",
  },
  { study: "load-cache", found: "a cache moves the knee to the right", kind: "knee-moves" },
  {
    study: "load-threads",
    found: "two threads doubled the rate that can be served, and more changed nothing: its network was the bottleneck",
    kind: "knee-moves",
  },
];

function crombe(): readonly PublishedFigures[] {
  const { source } = reference("crombe-2015.json") as Crombe;
  return foundIn2015.map(({ study, found, kind }) => ({
    study,
    name: "Crombé and Declercq 2015",
    source,
    setting: crombeSetting,
    caveats: [
      "What carries over is the ratio of arrivals to what the server can do, not the seconds.",
      ...(kind === null ? [`It found that ${found}.`] : []),
    ],
    claims: kind === null ? [] : [{ found, test: { kind } }],
    rows: [],
  }));
}

/** Findings without figures, each with the test of it. */
function findings(): readonly PublishedFigures[] {
  return (reference("findings.json") as readonly Omit<PublishedFigures, "rows">[]).map((of) => ({ ...of, rows: [] }));
}

/** The published figures for a study; empty if the study repeats none. */
export function publishedFor(study: string): readonly PublishedFigures[] {
  const all = [
    rablou(),
    djurhuus(),
    wcf(),
    wcfBulk(),
    ...["concurrency", "concurrency-grid"].map(khandker),
    ...crombe(),
    ...findings(),
  ];
  return all.filter((figures) => figures.study === study);
}
