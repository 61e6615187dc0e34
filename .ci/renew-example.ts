// Renews what the README shows of a real run: its beginning as text, between two marks, and pictures in docs/example.
// `pnpm example` measures anew; `pnpm example RUN` takes a run directory that is there already.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const roundtrip = join(root, "packages/cli/src/main.ts");
const pictures = ["latency-hello-hello", "curve-facade-read", "shape-facade-read"];
const [begin, end] = ["<!-- example: begin -->", "<!-- example: end -->"];
// The terminal shows more below: README stops where the detail begins.
const stopsBefore = "façade: write";

function run(...words: string[]): string {
  return execFileSync(process.execPath, [roundtrip, ...words], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NO_COLOR: "1" },
  });
}

const [given] = process.argv.slice(2);
const room = mkdtempSync(join(tmpdir(), "roundtrip-example-"));
try {
  const directory = given ?? join(room, "run");
  if (given === undefined) run("bench", "--seed", "2010", "--out", directory);
  const text = run("report", directory);
  const shown = text.slice(0, text.indexOf(stopsBefore)).trimEnd();
  const example = join(root, "docs/example");
  mkdirSync(example, { recursive: true });
  for (const name of pictures) copyFileSync(join(directory, "plots", `${name}.svg`), join(example, `${name}.svg`));
  const path = join(root, "README.md");
  const readme = readFileSync(path, "utf8");
  const [before, after] = [readme.indexOf(begin), readme.indexOf(end)];
  if (before === -1 || after === -1) throw new Error(`README.md lacks ${begin} or ${end}`);
  const block = `${begin}\n\`\`\`text\n${shown}\n\`\`\`\n`;
  writeFileSync(path, `${readme.slice(0, before)}${block}${readme.slice(after)}`);
} finally {
  rmSync(room, { recursive: true, force: true });
}
