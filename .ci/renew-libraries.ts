// Measures the run of docs/libraries.md, and renews its tables and pictures.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunFacts } from "../packages/runs/src/index.ts";
import { readRun } from "../packages/runs/src/run-file.ts";

const root = join(import.meta.dirname, "..");
const page = join(root, "docs/libraries.md");

/** A finished run, as the page shows it. */
interface Finished {
  readonly facts: RunFacts;
  /** Its report in Markdown. */
  readonly report: string;
}

/** Replaces the lines of a page between `<!-- NAME: begin -->` and `<!-- NAME: end -->`. Throws an Error if the marks are missing. */
export function withBlock(text: string, name: string, lines: string): string {
  const [begin, end] = [`<!-- ${name}: begin -->\n`, `<!-- ${name}: end -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`the page lacks ${begin.trim()} or, after it, ${end}`);
  return `${text.slice(0, from)}${begin}${lines}${text.slice(to)}`;
}

/** A table of the report without its caption. */
function tableOf(caption: string): (finished: Finished) => string {
  return ({ report }) => {
    const heading = `**${caption}**\n\n`;
    const from = report.indexOf(heading);
    if (from === -1) throw new Error(`the report has no table "${caption}"`);
    const [table = ""] = report.slice(from + heading.length).split("\n\n");
    return table.trimEnd();
  };
}

/** The command, the day, the machine and the versions. */
function circumstances({ facts }: Finished): string {
  const { command, startedAt, roundsDone, durationMs, environment } = facts;
  const { cpuModel, cores, runtime, libraries, generators = [] } = environment;
  const programs = new Set(generators.map(({ name, version }) => `${name} ${version ?? ""}`.trimEnd()));
  const versions = [...Object.entries(libraries).map(([name, version]) => `${name} ${version}`), ...programs];
  return [
    `\`${command.replace(/ --out \S+/, "")}\` on ${startedAt.slice(0, 10)}: ${roundsDone} rounds in ${Math.round(durationMs / 1000)} s on ${cpuModel}, ${cores} cores, ${runtime}.`,
    `${versions.join(", ")}.`,
  ].join("\n\n");
}

const pictures = ["floor-libraries-hello", "cpu-libraries-hello"];

/** The parts of the page that the run renews. */
const blocks: Readonly<Record<string, (finished: Finished) => string>> = {
  run: circumstances,
  styles: tableOf("hello: style against style"),
  choices: tableOf("hello: what the choice of a library changes"),
};

async function renew(directory: string): Promise<void> {
  const { facts } = await readRun(directory);
  const finished = { facts, report: readFileSync(join(directory, "report.md"), "utf8") };
  const text = Object.entries(blocks).reduce(
    (written, [name, linesOf]) => withBlock(written, name, `\n${linesOf(finished)}\n\n`),
    readFileSync(page, "utf8"),
  );
  writeFileSync(page, text);
  const folder = join(root, "docs/libraries");
  mkdirSync(folder, { recursive: true });
  for (const name of pictures) copyFileSync(join(directory, "plots", `${name}.svg`), join(folder, `${name}.svg`));
}

if (import.meta.main) {
  const workspace = mkdtempSync(join(tmpdir(), "roundtrip-libraries-"));
  try {
    const directory = join(workspace, "run");
    const words = ["bench", "libraries", "--seed", "2020", "--quiet", "--out", directory];
    execFileSync(process.execPath, [join(root, "packages/cli/bin/roundtrip.js"), ...words], {
      cwd: root,
      stdio: ["ignore", "ignore", "inherit"],
    });
    await renew(directory);
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}
