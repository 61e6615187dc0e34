// The server in Go of examples/targets, built once.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { emptyFolder } from "./run-program.ts";
import { startTarget, type Target } from "./target.ts";

export const goFolder = fileURLToPath(new URL("../../../../examples/targets/go", import.meta.url));

/** No network: modules are those that the machine has. No revision is written into programs: git may refuse the folder of another user. */
export const goEnvironment = { ...process.env, GOPROXY: "off", GOTOOLCHAIN: "auto", GOFLAGS: "-buildvcs=false" };

const runFile = promisify(execFile);

/** Runs go in the sources' folder. Resolves to its output; rejects if it fails. */
async function go(...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await runFile("go", args, { cwd: goFolder, env: goEnvironment });
  return stdout + stderr;
}

/** Resolves to the path of a new program. @param source the folder of its sources, below those of the target */
export async function builtTarget(source = "."): Promise<string> {
  const program = join(emptyFolder(), "roundtrip-target");
  await go("build", "-o", program, source);
  return program;
}

/** Starts a command that serves in Go, and waits for its addresses. */
export function startGoTarget(program: string, ...args: readonly string[]): Promise<Target> {
  return startTarget([program, ...args], goEnvironment);
}
