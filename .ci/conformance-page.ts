// Writes docs/conformance.md: the current result of every conformance case on every stack, in plain text and over TLS.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import type { CaseResult } from "../packages/conformance/src/index.ts";
import { knownStack, stackNames } from "../packages/stacks/src/index.ts";
import { conformanceShares, inProcesses } from "./conformance-shares.ts";

interface StackResults {
  readonly stack: string;
  readonly results: readonly CaseResult[];
}

const page = "docs/conformance.md";

/** Returns the results of some stacks. With failed cases the program exits with 1, after it has printed all results. */
async function conform(names: readonly string[], flags: readonly string[]): Promise<readonly StackResults[]> {
  const args = ["packages/cli/bin/roundtrip.js", "conform", ...names, ...flags, "--json"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [printed, [status]] = await Promise.all([text(child.stdout), once(child, "close") as Promise<[number | null]>]);
  if (status !== 0 && status !== 1) throw new Error(`conform ${names.join(" ")} ended with ${status}`);
  if (status === 1) process.exitCode = 1;
  return JSON.parse(printed) as readonly StackResults[];
}

const transports = [[], ["--tls"]] as const;
const jobs = transports.flatMap((flags) => conformanceShares(stackNames()).map((names) => ({ names, flags })));
const done = await inProcesses(jobs, async ({ names, flags }) => ({ flags, found: await conform(names, flags) }));
const [plain = [], tls = []] = transports.map((flags) => {
  const all = done.filter((job) => job.flags === flags).flatMap(({ found }) => found);
  return stackNames().flatMap((name) => all.find(({ stack }) => stack === name) ?? []);
});
const stacks = plain.map(({ stack }) => stack);
const columns = stacks.map((stack) => [plain, tls].map((run) => run.find((one) => one.stack === stack)?.results ?? []));
const cases = plain[0]?.results ?? [];
const reasons: string[] = [];

function note(reason: string): number {
  if (!reasons.includes(reason)) reasons.push(reason);
  return reasons.indexOf(reason) + 1;
}

/** One sign if plain text and TLS agree, which is usual. */
function cell(results: readonly (readonly CaseResult[])[], caseId: string): string {
  const signs = results.map((result) => {
    const found = result.find((one) => one.caseId === caseId);
    if (found === undefined) return "?";
    if (found.status === "pass") return "✓";
    return found.status === "fail" ? "✗" : `–&nbsp;[${note(found.detail)}](#reasons)`;
  });
  const [first = "?", second = "?"] = signs;
  return first === second ? first : `${first} / ${second}`;
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |\n`;
}

const styles = [...Map.groupBy(stacks, (stack) => knownStack(stack).style)];

/** The sign that most stacks of a style have, and which stacks have another. */
function styleCell(ofStyle: readonly string[], caseId: string): string {
  const bySign = Map.groupBy(ofStyle, (stack) => cell(columns[stacks.indexOf(stack)] ?? [], caseId));
  const [[usual] = ["?"], ...others] = [...bySign].toSorted(([, some], [, other]) => other.length - some.length);
  return [usual, ...others.map(([sign, named]) => `${sign} ${named.join(", ")}`)].join("<br>");
}

const areas = [...new Set(cases.map(({ area }) => area))];
const tables = areas.map((area) => {
  const rows = cases
    .filter((one) => one.area === area)
    .map(({ caseId, level, title }) =>
      line([caseId, level, title.replaceAll("|", "\\|"), ...styles.map(([, ofStyle]) => styleCell(ofStyle, caseId))]),
    );
  const head = ["id", "level", "case", ...styles.map(([style]) => style)];
  return `\n## ${area[0]?.toUpperCase()}${area.slice(1)}\n\n${line(head)}${line(head.map(() => "---"))}${rows.join("")}`;
});

function counted(results: readonly CaseResult[]): string {
  return (["pass", "fail", "skip"] as const)
    .map((status) => `${results.filter((one) => one.status === status).length} ${status}`)
    .join(", ");
}

const counts = stacks.map((stack, index) => line([stack, ...(columns[index] ?? []).map(counted)]));

writeFileSync(
  page,
  `# Conformance

<!-- Written by \`pnpm conform:page\` from a run of all cases. -->

${cases.length} cases, each a guarantee for callers, run on every stack over real sockets, plain and over TLS. [Rules](rules.md) lists the guarantees by
topic. [Decision 0060](decisions/0060-conformance-through-a-client.md) explains how the suite works.

✓ passes, ✗ fails, – is a declared limitation or deviation, with its reason. Declared cases run as well, and the suite fails once one of them passes. If
plain and TLS differ, both are shown. A column is a style: the sign of most of its stacks, and below it those with another.

| stack | plain | TLS |
| --- | --- | --- |
${counts.join("")}${tables.join("")}
## Reasons

${reasons.map((reason, index) => `${index + 1}. ${reason}\n`).join("")}`,
);
console.log(
  `${page}: ${stacks.map((stack, index) => `${stack} ${(columns[index] ?? []).map(counted).join(" / ")}`).join("; ")}`,
);
