// Renews the runs in docs/anomalies.md: a table, a plot and the report of each study whose name begins with `anomalies-`. `pnpm anomalies` measures
// all of them, `pnpm anomalies STUDY` one, and `pnpm anomalies RUN` uses an existing run directory.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  analyse,
  analyseDefaults,
  concurrencySeries,
  type Analysis,
  type RunFacts,
} from "../packages/analysis/src/index.ts";
import { readRun } from "../packages/runner/src/index.ts";
import { studyGroups } from "../bench/index.ts";
import { programNamed, run } from "../bench/programs/program.ts";
import { withBlock } from "./page-block.ts";

const root = join(import.meta.dirname, "..");
const page = join(root, "docs/anomalies.md");
const pictures = join(root, "docs/anomalies");
const absent = "–";

function figure(value: number): string {
  return value.toPrecision(3);
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** The model's prediction with the limit of streams: each stream is a server, busy for a whole round trip. A lower bound. */
function throughStreams(alone: number, callers: number, thinkMs: number, streams: number): number {
  return Math.max(alone, (callers * alone) / streams - thinkMs);
}

function table(facts: RunFacts, analysis: Analysis): readonly string[] {
  const flags = new Map(analysis.anomalies.flatMap(({ armIds, causes }) => armIds.map((id) => [id, causes[0]?.code])));
  const blocksOf = Map.groupBy(facts.blocks, ({ armId }) => armId);
  const series = concurrencySeries(analysis);
  const hasLimit = series.some(({ alone }) => typeof alone.factors["maxConcurrentStreams"] === "number");
  const columns = [
    "client and server",
    "callers",
    "think time, ms",
    "predicted, ms",
    ...(hasLimit ? ["streams as servers, ms"] : []),
    "measured, ms",
    "connections a call",
    "calls that failed",
    "flagged",
  ];
  const rows = series.flatMap(({ alone, points, demands }) =>
    points.map(({ armId, callers, thinkMs, predictedMs, measuredMs, isModelInput }) => {
      const blocks = blocksOf.get(armId) ?? [];
      const total = (count: (block: RunFacts["blocks"][number]) => number): number =>
        blocks.reduce((sum, block) => sum + count(block), 0);
      const calls = total((block) => block.calls);
      const streams = Number(alone.factors["maxConcurrentStreams"]);
      return line([
        alone.title,
        String(callers),
        String(thinkMs),
        isModelInput ? "fed" : figure(predictedMs),
        ...(hasLimit ? [figure(throughStreams(demands.roundTripMs, callers, thinkMs, streams))] : []),
        measuredMs === null ? "void" : figure(measuredMs),
        (total((block) => block.connectionsOpened) / calls).toFixed(2),
        `${total((block) => block.failedCalls ?? 0)} of ${calls}`,
        flags.has(armId) ? `\`${flags.get(armId) ?? "unexplained"}\`` : absent,
      ]);
    }),
  );
  return [line(columns), line(columns.map((_, index) => (index === 0 ? "---" : "---:"))), ...rows];
}

function said(analysis: Analysis): readonly string[] {
  const messages = analysis.warnings.filter(({ code }) => code === "anomaly").map(({ message }) => message);
  if (messages.length === 0) return ["The run flags no cell."];
  return ["The run says:", ...messages.flatMap((message) => ["", `> ${message}`])];
}

function circumstances(study: string, { seed, startedAt, roundsDone, environment }: RunFacts): string {
  const [link] = environment.links ?? [];
  const over = link === undefined ? "" : `, over a link of ${link.kind} with ${figure(link.rttMs)} ms measured`;
  return `\`roundtrip bench ${study} --seed ${seed}\` on ${startedAt.slice(0, 10)}: ${roundsDone} rounds${over}.`;
}

async function renew(directory: string): Promise<void> {
  const { facts, samples } = await readRun(directory);
  const study = facts.arms[0]?.study ?? "";
  const analysis = analyse(facts, samples, { ...analyseDefaults, seed: facts.seed });
  const block = [circumstances(study, facts), "", ...table(facts, analysis), "", ...said(analysis)].join("\n");
  writeFileSync(page, withBlock(readFileSync(page, "utf8"), study, `\n${block}\n\n`));
  mkdirSync(pictures, { recursive: true });
  copyFileSync(join(directory, "plots", `think-${study}-hello.svg`), join(pictures, `${study}.svg`));
}

async function measure(study: string): Promise<void> {
  const workspace = mkdtempSync(join(tmpdir(), "roundtrip-anomalies-"));
  try {
    const directory = join(workspace, "run");
    const words = ["bench", study, "--seed", "1996", "--out", directory];
    execFileSync(process.execPath, [join(root, "packages/cli/bin/roundtrip.js"), ...words], {
      cwd: root,
      stdio: ["ignore", "ignore", "inherit"],
    });
    await renew(directory);
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}

const studies = studyGroups().get("anomalies") ?? [];

function isRun(name: string): boolean {
  return existsSync(join(name, "run.json"));
}

await run(
  programNamed("anomalies", "Measures the anomalies of docs/anomalies.md anew, and renews its tables and pictures.")
    .argument("[what...]", `${studies.join(", ")}, or a run directory of one; unless given, all are measured`)
    .action(async (given: readonly string[], _options: unknown, program: { error: (message: string) => never }) => {
      const unknown = given.find((name) => !studies.includes(name) && !isRun(name));
      if (unknown !== undefined)
        program.error(`error: ${unknown} is neither one of ${studies.join(", ")} nor a run directory`);
      for (const one of given.length === 0 ? studies : given) await (isRun(one) ? renew(one) : measure(one));
    }),
);
