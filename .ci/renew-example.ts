// Renews the runs in README.md and docs/method.md: part of each as text, between two marks, and plots in docs/example. `pnpm example` measures the
// first, `pnpm example network` the second, over distance. `pnpm example RUN` uses an existing run directory of either.
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { withBlock } from "./page-block.ts";

const root = join(import.meta.dirname, "..");
const roundtrip = join(root, "packages/cli/bin/roundtrip.js");

interface Example {
  readonly words: readonly string[];
  readonly pictures: readonly string[];
  /** The page with the example, and its block there. */
  readonly page: string;
  readonly block: string;
  /** The part of the full report on the page; null for the summary. */
  readonly part: { readonly beginsWith: string; readonly stopsBefore: string } | null;
}

const usual: Example = {
  words: [],
  pictures: ["latency-hello-hello", "curve-facade-read", "shape-facade-read"],
  page: "README.md",
  block: "example",
  part: null,
};

const network: Example = {
  words: ["network-distance"],
  pictures: ["facade-over-distance-network-distance-read"],
  page: "docs/method.md",
  block: "network example",
  part: { beginsWith: "distance: round trips per call", stopsBefore: "distance: from which" },
};

/** The run directory in its workspace: that of a reader, whose lines are broken at the same words. */
const directory = join("runs", "example");

function run(cwd: string, ...words: string[]): string {
  return execFileSync(process.execPath, [roundtrip, ...words], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NO_COLOR: "1" },
  });
}

function screenOrPart(part: Example["part"], workspace: string): string {
  if (part === null) return run(workspace, "report", directory).trimEnd();
  const text = run(workspace, "report", directory, "--full");
  return text.slice(text.indexOf(part.beginsWith), text.indexOf(part.stopsBefore)).trimEnd();
}

const [word] = process.argv.slice(2);
const given = word === "network" ? undefined : word;
const isOfNetwork = given !== undefined && existsSync(join(given, "plots", `${network.pictures[0]}.svg`));
const example = word === "network" || isOfNetwork ? network : usual;
const workspace = mkdtempSync(join(tmpdir(), "roundtrip-example-"));
try {
  const measured = join(workspace, directory);
  mkdirSync(join(measured, ".."));
  if (given === undefined) run(workspace, "bench", ...example.words, "--seed", "2010", "--out", directory);
  else symlinkSync(resolve(given), measured);
  const shown = screenOrPart(example.part, workspace);
  const folder = join(root, "docs/example");
  mkdirSync(folder, { recursive: true });
  for (const name of example.pictures)
    copyFileSync(join(measured, "plots", `${name}.svg`), join(folder, `${name}.svg`));
  const path = join(root, example.page);
  writeFileSync(path, withBlock(readFileSync(path, "utf8"), example.block, `\`\`\`text\n${shown}\n\`\`\`\n`));
} finally {
  rmSync(workspace, { recursive: true, force: true });
}
