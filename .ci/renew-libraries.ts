// Renews docs/libraries.md: its figures, claims and pictures. `pnpm libraries` measures all of its runs, `pnpm libraries NAME` one of them.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  analyse,
  analyseDefaults,
  styleTitles,
  type Analysis,
  type Claim,
  type RunFacts,
} from "../packages/analysis/src/index.ts";
import { isUnsettled, markNote } from "../packages/report/src/view/unsettled-mark.ts";
import { claimSentences } from "../packages/report/src/words/claim-sentences.ts";
import { readRun } from "../packages/runner/src/index.ts";
import { namesArgument, programNamed, run } from "../bench/programs/program.ts";
import { markdownTable } from "./markdown-table.ts";
import { withBlock } from "./page-block.ts";
import { throughput } from "./throughput-table.ts";

const root = join(import.meta.dirname, "..");
const page = join(root, "docs/libraries.md");

/** A finished run, as the page shows it. */
interface Finished {
  readonly facts: RunFacts;
  readonly analysis: Analysis;
  /** Its report in Markdown. */
  readonly report: string;
}

interface PageRun {
  /** What follows `roundtrip bench`. */
  readonly words: readonly string[];
  readonly pictures: readonly string[];
  /** The parts of the page that it renews. */
  readonly blocks: Readonly<Record<string, (finished: Finished) => string>>;
}

/** A table of the report without its caption. @param only rows with this text; all unless given */
function tableOf(caption: string, only = ""): (finished: Finished) => string {
  return ({ report }) => {
    const heading = `**${caption}**\n\n`;
    const from = report.indexOf(heading);
    if (from === -1) throw new Error(`the report has no table "${caption}"`);
    const [table = ""] = report.slice(from + heading.length).split("\n\n");
    const [head = "", rule = "", ...rows] = table.split("\n");
    return [head, rule, ...rows.filter((row) => row.includes(only))].join("\n");
  };
}

function claims(...kinds: readonly Claim["kind"][]): (finished: Finished) => string {
  return ({ analysis }) =>
    claimSentences(analysis)
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ text }) => `- ${text}`)
      .join("\n");
}

/** For each two stacks, which is faster for a hello call. */
function orders({ analysis: { arms, comparisons } }: Finished): string {
  const titleOf = new Map(arms.filter(({ task }) => task === "hello").map(({ id, title }) => [id, title]));
  const pairs = comparisons.filter(
    ({ kind, numeratorId, denominatorId }) =>
      kind === "stack" && titleOf.has(numeratorId) && titleOf.has(denominatorId),
  );
  return pairs
    .map(({ numeratorId, denominatorId, ratio, low, high, verdict }) => {
      const [one, other] = [numeratorId, denominatorId].map((id) => titleOf.get(id) ?? "");
      const interval = low === null || high === null ? "" : ` (95 % interval ${low.toFixed(2)} to ${high.toFixed(2)})`;
      const times = `${ratio.toFixed(2)} × the time of ${other}${interval}`;
      if (verdict !== "different") return `- Whether ${one} or ${other} is faster is unclear: ${one} takes ${times}.`;
      return `- ${one} is ${ratio < 1 ? "faster" : "slower"} than ${other}: it takes ${times}.`;
    })
    .join("\n");
}

/** What the run says against its own figures, except the warm-ups that {@link circumstances} names. */
function warnings({ analysis }: Finished): string {
  const others = analysis.warnings.filter(({ code }) => code !== "unsettled");
  const about = (id: string | undefined): string => {
    const arm = analysis.arms.find((one) => one.id === id);
    return arm === undefined ? "" : `${arm.title}, ${[arm.task, ...Object.values(arm.factors)].join(" ")}: `;
  };
  return others.length === 0 ? "None." : others.map(({ armId, message }) => `- ${about(armId)}${message}.`).join("\n");
}

function microseconds(ms: number): string {
  return (1000 * ms).toLocaleString("en", { maximumSignificantDigits: 3 });
}

/** At most so many times the median of the floor, where there is such an aim. */
const aims: Readonly<Record<string, number>> = { rest: 1.5, grpc: 2, graphql: 2 };

function aimText(style: string, multiple: number): string {
  const aim = aims[style];
  return aim === undefined ? "–" : `≤ ${aim}×, ${multiple <= aim ? "met" : "missed"}`;
}

/** The stack of each style with the lowest median of a hello call, as a multiple of the floor's. */
function overFloor({ analysis }: Finished): string {
  const { arms, summaries } = analysis;
  const medians = arms
    .filter(({ task }) => task === "hello")
    .flatMap((arm) => {
      const p50 = summaries.find(({ armId, metric }) => armId === arm.id && metric === "latencyMs")?.p50;
      return p50 === undefined ? [] : [{ arm, p50 }];
    })
    .toSorted((one, other) => one.p50 - other.p50);
  const floor = medians.find(({ arm }) => arm.role === "floor")?.p50 ?? Number.NaN;
  const titleOf = styleTitles(arms);
  const fastest = Map.groupBy(
    medians.filter(({ arm }) => arm.role === "style"),
    ({ arm }) => arm.style,
  );
  const rows = [...fastest.values()].map(([first]) => {
    const { arm, p50 } = first as (typeof medians)[number];
    const multiple = p50 / floor;
    const mark = isUnsettled(analysis, arm) ? "†" : "";
    const [names, aim] = [`${arm.server}, ${arm.client}${mark}`, aimText(arm.style, multiple)];
    return [titleOf(arm.style), names, microseconds(p50), `${multiple.toFixed(2)}×`, aim];
  });
  return markdownTable(["style", "server, client", "p50, µs", "× p50 of TCP echo", "aim"], rows).trimEnd();
}

/** How many times as long all chatty calls of a read take as its façade, from the least to the most of all stacks. */
function chattyOverFacade({ analysis: { arms, comparisons } }: Finished): string {
  const most = Math.max(...arms.map(({ factors }) => Number(factors["attributes"] ?? 0)));
  const armOf = new Map(arms.map((arm) => [arm.id, arm]));
  const rows = comparisons.flatMap(({ kind, numeratorId, denominatorId, ratio }) => {
    const [chatty, facade] = [armOf.get(numeratorId), armOf.get(denominatorId)];
    const isRow = kind === "variant" && chatty?.factors["attributes"] === most && facade?.role === "style";
    return isRow && chatty.variant === "chatty" && facade.variant === "facade" ? [{ title: facade.title, ratio }] : [];
  });
  const [least, ...others] = rows.toSorted((one, other) => one.ratio - other.ratio);
  const largest = others.at(-1);
  if (least === undefined || largest === undefined) throw new Error("the run has no chatty reads beside façades");
  const text = ({ title, ratio }: typeof least): string => `${ratio.toFixed(1)} × (${title})`;
  const paying = rows.filter(({ ratio }) => ratio > 1).length;
  const which = paying === rows.length ? "every one of them" : `${paying} of ${rows.length} stacks`;
  return `It does with ${which}: ${most} chatty calls take ${text(least)} to ${text(largest)} as long as the façade.`;
}

/** The command, the day, the machine, and the stacks that had not settled. @param marked whether tables mark them. */
function circumstances({ facts, analysis }: Finished, marked: "marked" | "unmarked" = "marked"): string {
  const { command, startedAt, roundsDone, durationMs, environment } = facts;
  const { cpuModel, cores, runtime, libraries, generators = [] } = environment;
  const programs = new Set(generators.map(({ name, version }) => `${name} ${version ?? ""}`.trimEnd()));
  const versions = [...Object.entries(libraries).map(([name, version]) => `${name} ${version}`), ...programs];
  const unsettled = markNote(analysis, analysis.arms);
  const note = marked === "marked" ? `${unsettled} The tables of figures mark them.` : unsettled.replace("† ", "");
  return [
    `\`${command.replace(/ --out \S+/, "")}\` on ${startedAt.slice(0, 10)}: ${roundsDone} rounds in ${Math.round(durationMs / 1000)} s on ${cpuModel}, ${cores} cores, ${runtime}.`,
    `${versions.join(", ")}.`,
    ...(unsettled === "" ? [] : [note]),
  ].join("\n\n");
}

const roundTrips = "round trips per call";

const runs: Readonly<Record<string, PageRun>> = {
  libraries: {
    words: ["libraries"],
    pictures: ["floor-libraries-hello", "cpu-libraries-hello", "break-even-libraries-read"],
    blocks: {
      findings: claims("library"),
      hello: tableOf("libraries: hello: latency and cost per task, in µs"),
      styles: tableOf("hello: style against style"),
      choices: tableOf("hello: what the choice of a library changes"),
      variances: tableOf("hello: how far the options of a choice are apart"),
      settings: claims("setting"),
      "over the floor": overFloor,
      "break-even": chattyOverFacade,
      run: circumstances,
      warnings,
    },
  },
  2020: {
    words: ["hello", "--style", "json-rpc,rest,graphql"],
    pictures: [],
    blocks: {
      2020: tableOf("hello: latency and cost per task, in µs"),
      "2020 findings": orders,
      "2020 run": circumstances,
      "2020 warnings": warnings,
    },
  },
  2009: {
    words: ["network-distance", "network-connections", "--style", "soap"],
    pictures: [],
    blocks: {
      2009: tableOf(`distance: ${roundTrips}`, "hello"),
      "2009 connections": tableOf(`connections: ${roundTrips}`, "hello"),
      "2009 run": circumstances,
      "2009 warnings": warnings,
    },
  },
  throughput: {
    words: [
      "saturation",
      "--server",
      "express,fastify,hono,node-http,apollo,yoga,mercurius,graphql-http,grpc-js,connect-node,node-http2,json-rpc-2",
    ],
    pictures: [],
    blocks: {
      throughput: throughput({ "own-driver": "Roundtrip's clients", autocannon: "autocannon" }),
      "throughput run": (finished) => circumstances(finished, "unmarked"),
      "throughput warnings": warnings,
    },
  },
  "throughput-k6": {
    words: ["saturation", "--engine", "k6", "--style", "grpc", "--server", "grpc-js,connect-node,node-http2"],
    pictures: [],
    blocks: {
      "throughput k6": throughput({ "own-driver": "k6" }),
      "throughput k6 run": (finished) => circumstances(finished, "unmarked"),
      "throughput k6 warnings": warnings,
    },
  },
  "2009-tls": {
    words: ["network-distance", "--style", "soap", "--tls"],
    pictures: [],
    blocks: {
      "2009 tls": tableOf(`distance: ${roundTrips}`, "hello | kept, TLS"),
      "2009 tls run": circumstances,
      "2009 tls warnings": warnings,
    },
  },
};

async function renew({ blocks, pictures }: PageRun, directory: string): Promise<void> {
  const { facts, samples } = await readRun(directory);
  const report = readFileSync(join(directory, "report.md"), "utf8");
  // As the report that the tables are from.
  const finished = { facts, analysis: analyse(facts, samples, { ...analyseDefaults, seed: facts.seed }), report };
  const text = Object.entries(blocks).reduce(
    (written, [name, linesOf]) => withBlock(written, name, `\n${linesOf(finished)}\n\n`),
    readFileSync(page, "utf8"),
  );
  writeFileSync(page, text);
  const folder = join(root, "docs/libraries");
  mkdirSync(folder, { recursive: true });
  for (const name of pictures) copyFileSync(join(directory, "plots", `${name}.svg`), join(folder, `${name}.svg`));
}

async function measure(pageRun: PageRun): Promise<void> {
  const workspace = mkdtempSync(join(tmpdir(), "roundtrip-libraries-"));
  try {
    const directory = join(workspace, "run");
    const words = ["bench", ...pageRun.words, "--seed", "2020", "--quiet", "--out", directory];
    execFileSync(process.execPath, [join(root, "packages/cli/bin/roundtrip.js"), ...words], {
      cwd: root,
      stdio: ["ignore", "ignore", "inherit"],
    });
    await renew(pageRun, directory);
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}

await run(
  programNamed("libraries", "Measures the runs of docs/libraries.md, and renews its figures and pictures.")
    .addArgument(namesArgument("[name...]", "which runs; all unless named, in some ten minutes", Object.keys(runs)))
    .action(async (names: readonly string[]) => {
      for (const [name, pageRun] of Object.entries(runs)) {
        // oxlint-disable-next-line no-await-in-loop -- runs disturb each other
        if (names.length === 0 || names.includes(name)) await measure(pageRun);
      }
    }),
);
