// Renews the run in README.md: its screen, between two marks, and its plots in docs/example. `pnpm example` measures it, `pnpm example RUN` uses an
// existing run directory.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { withBlock } from "./renew-pages.ts";

const root = join(import.meta.dirname, "..");
const roundtrip = join(root, "packages/cli/bin/roundtrip.js");
const pictures = ["latency-hello-hello"];

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

const [existingRun] = process.argv.slice(2);
const workspace = mkdtempSync(join(tmpdir(), "roundtrip-example-"));
try {
  const measured = join(workspace, directory);
  mkdirSync(join(measured, ".."));
  if (existingRun === undefined) run(workspace, "bench", "--seed", "2010", "--out", directory);
  else symlinkSync(resolve(existingRun), measured);
  const screen = run(workspace, "report", directory).trimEnd();
  const folder = join(root, "docs/example");
  mkdirSync(folder, { recursive: true });
  for (const name of pictures) copyFileSync(join(measured, "plots", `${name}.svg`), join(folder, `${name}.svg`));
  const page = join(root, "README.md");
  writeFileSync(page, withBlock(readFileSync(page, "utf8"), "example", `\`\`\`text\n${screen}\n\`\`\`\n`));
} finally {
  rmSync(workspace, { recursive: true, force: true });
}
