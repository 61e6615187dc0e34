// Runs every check, or those in the arguments, one per core at a time. For a failed check it prints the output and the command that fixes it.
import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { stripVTControlCharacters } from "node:util";

interface Check {
  readonly name: string;
  /** The program and its arguments, for the project's root. */
  readonly command: readonly [string, ...string[]];
  readonly fix: string;
}

const checks = [
  { name: "format", command: ["oxfmt", "--check"], fix: "pnpm format" },
  { name: "lint", command: ["oxlint", "--type-aware", "--deny-warnings"], fix: "pnpm lint" },
  { name: "types", command: ["tsc", "-p", "."], fix: "pnpm typecheck" },
  {
    name: "unused",
    command: ["knip", "--no-progress", "--treat-config-hints-as-errors"],
    fix: "remove it, or name its reader in knip.jsonc",
  },
  {
    name: "layers",
    command: ["depcruise", "--config", ".dependency-cruiser.json", "packages", "bench"],
    fix: "import what docs/architecture.md allows",
  },
  {
    name: "docs",
    command: ["vitest", "run", "--reporter=minimal", "--project=docs", "bench/test/documented"],
    fix: "see the failing sentence",
  },
  { name: "contract-lint", command: ["buf", "lint"], fix: "see the line named" },
  { name: "contract-format", command: ["buf", "format", "proto", "--diff", "--exit-code"], fix: "pnpm format" },
  {
    name: "conformance-format",
    command: ["buf", "format", "packages/conformance/proto", "--diff", "--exit-code"],
    fix: "buf format --write packages/conformance/proto",
  },
  {
    name: "contract-breaking",
    command: ["buf", "breaking", "proto", "--against", "proto/released.binpb"],
    fix: "keep the contract compatible; a release renews the image (docs/decisions/0001-the-contract-is-data.md)",
  },
  { name: "generated", command: ["node", ".ci/generate.ts", "--check"], fix: "pnpm generate" },
] as const satisfies readonly Check[];

interface Outcome {
  readonly ok: boolean;
  readonly seconds: number;
  readonly output: string;
}

function run({ command: [program, ...args] }: Check): Promise<Outcome> {
  const start = performance.now();
  return new Promise((resolve) => {
    execFile(program, args, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const said = error !== null && typeof error.code !== "number" ? `${error.message}\n` : "";
      resolve({
        ok: error === null,
        seconds: (performance.now() - start) / 1000,
        output: stripVTControlCharacters(said + stdout + stderr),
      });
    });
  });
}

function show(check: Check, { ok, seconds, output }: Outcome): void {
  console.log(`${ok ? "ok    " : "FAILED"} ${check.name.padEnd(18)} ${seconds.toFixed(1).padStart(5)} s`);
  if (ok) return;
  console.log(output.trimEnd().replaceAll(/^/gm, "       "));
  console.log(`       ${check.command.join(" ")}  →  ${check.fix}`);
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !checks.some((check) => check.name === name));
if (unknown.length > 0) {
  console.error(`no check is named ${unknown.join(", ")} (there are ${checks.map(({ name }) => name).join(", ")})`);
  process.exit(64);
}

const queue: Check[] = checks.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
let failed = 0;

async function worker(): Promise<void> {
  for (let check = queue.shift(); check !== undefined; check = queue.shift()) {
    const outcome = await run(check);
    if (!outcome.ok) failed += 1;
    show(check, outcome);
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, worker));
process.exitCode = failed > 0 ? 1 : 0;
