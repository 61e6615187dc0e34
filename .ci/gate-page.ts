// Prints docs/gate.md with new tables from docs/gate, which `pnpm gate-evidence` (evidence.json) and `pnpm gate-physical` renew.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Evidence } from "../bench/self/gate/evidence.ts";
import { injected, machines } from "../bench/self/gate/head-to-head.ts";
import type { PowerRow } from "../bench/self/gate/power-jobs.ts";
import { storedJobs } from "../bench/self/gate/physical/stored-jobs.ts";
import { storedReplay } from "../bench/self/gate/physical/stored-replay.ts";
import { roundsToVerdict } from "../bench/self/gate/rounds-to-verdict.ts";
import { physicalTables } from "./gate-physical-tables.ts";
import { markdownTable, percent, shareOfJobs } from "./markdown-table.ts";
import { withBlock } from "./page-block.ts";

const docs = join(import.meta.dirname, "../docs");
const evidence = JSON.parse(readFileSync(join(docs, "gate/evidence.json"), "utf8")) as Evidence;

function nullTable(): string {
  const rows = evidence.null
    .filter(({ effect }) => effect === 0)
    .map((equal) => {
      const tolerated = evidence.null.find(({ noise, effect }) => noise === equal.noise && effect > 0);
      if (tolerated === undefined) throw new Error(`no tolerated changes in ${equal.noise} noise`);
      return [
        equal.noise,
        equal.jobs.toLocaleString("en"),
        shareOfJobs(equal.failed, equal.jobs, 2),
        shareOfJobs(equal.blocked, equal.jobs, 2),
        shareOfJobs(tolerated.failed, tolerated.jobs),
        shareOfJobs(tolerated.blocked, tolerated.jobs),
      ];
    });
  const [tolerated] = evidence.null.filter(({ effect }) => effect > 0);
  return markdownTable(
    [
      "noise",
      "equal jobs",
      "FAIL before confirmation",
      "FAIL",
      `every row slower by just τ (${tolerated?.jobs.toLocaleString("en")} jobs): FAIL before confirmation`,
      "FAIL",
    ],
    rows,
  );
}

const metricWords = { latencyMs: "latency", serverCpuMsPerTask: "server CPU" } as const;

function changeOf({ metric, tasks, effect }: PowerRow): string {
  const sign = effect > 0 ? "+" : "−";
  return `${metricWords[metric]} ${sign}${Math.abs(100 * effect).toFixed(0)} %, ${tasks === 1 ? "one task" : "both tasks"} of a stack`;
}

function powerCells(row: PowerRow): readonly string[] {
  return [
    row.jobs.toLocaleString("en"),
    shareOfJobs(row.blocked, row.jobs),
    shareOfJobs(row.passed, row.jobs),
    shareOfJobs(row.covered, row.jobs),
    `${roundsToVerdict(row, 0.5)} (${roundsToVerdict(row, 0.95)})`,
  ];
}

const powerHead = [
  "jobs",
  "FAIL",
  "PASS",
  "all intervals hold the truth",
  "rounds to the verdict, median (p95)",
] as const;

function powerTable(): string {
  const rows = evidence.power.filter(({ noise }) => noise === "normal");
  return markdownTable(
    ["change", ...powerHead],
    rows.map((row) => [changeOf(row), ...powerCells(row)]),
  );
}

function noisesTable(): string {
  const rows = evidence.power.filter(({ tasks, effect }) => tasks === 2 && effect === 0.05);
  return markdownTable(
    ["noise", "change", ...powerHead],
    rows.map((row) => [row.noise, changeOf(row), ...powerCells(row)]),
  );
}

function headToHeadTable(): string {
  const parts = machines.map(({ name: machine }) => {
    const here = evidence.headToHead.filter((row) => row.machine === machine);
    const rules = [...new Set(here.map(({ rule }) => rule))];
    const rows = rules.map((rule) => {
      const own = injected.map(({ name }) => here.find((row) => row.rule === rule && row.injected === name));
      const alarms = own.map((row) => (row === undefined ? "" : `${percent(row.alarms / row.jobs, 1)} %`));
      return [rule, ...alarms, String(own[0]?.rounds ?? "")];
    });
    const found = injected.slice(1).map(({ name }) => `finds ${name}`);
    return markdownTable([`${machine}, ${here[0]?.jobs} jobs each`, "false alarms", ...found, "rounds"], rows);
  });
  return parts.join("\n");
}

const tables = {
  null: nullTable,
  power: powerTable,
  noises: noisesTable,
  "head-to-head": headToHeadTable,
  ...physicalTables(storedJobs(), storedReplay()),
};

let page = readFileSync(join(docs, "gate.md"), "utf8");
for (const [name, make] of Object.entries(tables)) {
  page = withBlock(page, `gate: ${name}`, `\n${make()}\n`);
}
process.stdout.write(page);
