// Packs every package as it would be published, lints the tarballs, installs them in an empty project outside the workspace and
// uses them there: what is published works without the sources, the workspace or type stripping.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

const room = mkdtempSync(join(tmpdir(), "roundtrip-pack-"));
const tarballFolder = join(room, "tarballs");
const project = join(room, "project");

/** Runs a program and returns what it printed; a failure shows it. */
function run(cwd: string, program: string, ...args: string[]): string {
  try {
    return execFileSync(program, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (thrown) {
    const { stdout, stderr } = thrown as { readonly stdout: string; readonly stderr: string };
    throw new Error(`${basename(program)} ${args.join(" ")}\n${stdout}${stderr}`, { cause: thrown });
  }
}

/** `@roundtrip/contract` of `…/roundtrip-contract-0.1.0.tgz`. */
function packageOf(tarball: string): string {
  return basename(tarball).replace(/^roundtrip-(.+)-\d+\.\d+\.\d+.*$/, "@roundtrip/$1");
}

function pack(): string[] {
  const packages = ["--filter", "./packages/*", "--filter", "./bench"];
  run(".", "npx", "-y", "pnpm@10", "--recursive", ...packages, "pack", "--pack-destination", tarballFolder);
  return readdirSync(tarballFolder).map((name) => join(tarballFolder, name));
}

async function lint(tarball: string): Promise<void> {
  const { messages, pkg } = await publint({
    pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer },
    strict: true,
  });
  const faults = messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
  if (faults.length > 0) throw new Error(`${basename(tarball)}\n${faults.join("\n")}`);
}

function install(tarballs: readonly string[]): void {
  mkdirSync(project);
  const dependencies = Object.fromEntries(tarballs.map((tarball) => [packageOf(tarball), `file:${tarball}`]));
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }));
  run(project, "npm", "install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts");
}

/** Every library answers to its name, and the program starts servers and clients of its own. */
function use(tarballs: readonly string[]): void {
  const libraries = tarballs.map(packageOf).filter((name) => name !== "@roundtrip/cli");
  const imports = libraries.map((name) => `await import(${JSON.stringify(name)});`).join("");
  run(project, process.execPath, "--input-type=module", "--eval", imports);
  const program = join(project, "node_modules", ".bin", "roundtrip");
  run(project, program, "--help");
  run(project, program, "describe");
  run(project, program, "bench", "hello", "--rounds", "1", "--calls", "20", "--out", join(room, "run"));
}

try {
  const tarballs = pack();
  await Promise.all(tarballs.map(lint));
  install(tarballs);
  use(tarballs);
  console.log(`${tarballs.length} packages packed, linted, installed and used`);
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : thrown);
  process.exitCode = 1;
} finally {
  rmSync(room, { recursive: true, force: true });
}
