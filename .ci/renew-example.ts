// Renews the runs in README.md and docs/method.md: part of each as text, between two marks, and plots in docs/example. `pnpm example` measures the
// first, `pnpm example network` the second, over distance. `pnpm example RUN` uses an existing run directory of either.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
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

function run(...words: string[]): string {
  return execFileSync(process.execPath, [roundtrip, ...words], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NO_COLOR: "1" },
  });
}

function screenOrPart(part: Example["part"], directory: string): string {
  // A reader's run is in `runs`, this one elsewhere.
  if (part === null) return run("report", directory).trimEnd().replaceAll(relative(root, directory), "runs/example");
  const text = run("report", directory, "--full");
  return text.slice(text.indexOf(part.beginsWith), text.indexOf(part.stopsBefore)).trimEnd();
}

const [word] = process.argv.slice(2);
const given = word === "network" ? undefined : word;
const isOfNetwork = given !== undefined && existsSync(join(given, "plots", `${network.pictures[0]}.svg`));
const example = word === "network" || isOfNetwork ? network : usual;
const workspace = mkdtempSync(join(tmpdir(), "roundtrip-example-"));
try {
  const directory = given ?? join(workspace, "run");
  if (given === undefined) run("bench", ...example.words, "--seed", "2010", "--out", directory);
  const shown = screenOrPart(example.part, directory);
  const folder = join(root, "docs/example");
  mkdirSync(folder, { recursive: true });
  for (const name of example.pictures)
    copyFileSync(join(directory, "plots", `${name}.svg`), join(folder, `${name}.svg`));
  const path = join(root, example.page);
  writeFileSync(path, withBlock(readFileSync(path, "utf8"), example.block, `\`\`\`text\n${shown}\n\`\`\`\n`));
} finally {
  rmSync(workspace, { recursive: true, force: true });
}
