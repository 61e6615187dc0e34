// Runs buf with a time limit: a hostile contract may keep a compiler busy for minutes.
import { createRequire, findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { CliError } from "../basics/cli-error.ts";
import { programEnd, type ProgramEnd } from "../basics/program-end.ts";

function installedBuf(): string | undefined {
  try {
    return findPackageJSON("@bufbuild/buf", import.meta.url);
  } catch {
    return undefined;
  }
}

/** The native program in buf's npm package, or the one that a shell would find. Its launcher would take longer to start than buf. */
export function findBuf(): readonly [program: string, ...args: string[]] {
  const installed = installedBuf();
  // The package of fakes comes without it: it is larger than all else.
  if (installed === undefined) return ["buf"];
  try {
    // The package is a dependency of buf's package, not of this one.
    const name = `@bufbuild/buf-${process.platform}-${process.arch}/bin/buf`;
    return [createRequire(installed).resolve(name)];
  } catch {
    // If the native package is missing or has another name, the launcher may find it.
    return [process.execPath, join(dirname(installed), "bin", "buf")];
  }
}

const timeoutMs = 60_000;

/** Nothing listens there: a `buf.yaml` may name any host to download modules from. buf has no option against that, and uses its cache first. */
const noProxy = "http://127.0.0.1:0";
const proxies = { HTTPS_PROXY: noProxy, HTTP_PROXY: noProxy, NO_PROXY: "", no_proxy: "" };

/** Runs buf without a network. Rejects with a CliError `unavailable` if it cannot start or does not end in time. @param subject the user's name for its input. */
export async function runBuf(args: readonly string[], subject: string): Promise<ProgramEnd> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const end = await programEnd([...findBuf(), ...args], { env: { ...process.env, ...proxies }, signal });
    if (!signal.aborted) return end;
    const limit = `not done after ${timeoutMs / 1_000} s`;
    throw new Error(`${limit}; give fewer files, and break lines of thousands of declarations`);
  } catch (cause) {
    if (installedBuf() === undefined && (cause as Error).cause instanceof Error) {
      const advice =
        "npm install --save-dev @bufbuild/buf, or give a descriptor set (protoc --include_imports --descriptor_set_out)";
      throw new CliError("unavailable", `${subject} is compiled by buf, which is not installed: ${advice}`, { cause });
    }
    throw new CliError("unavailable", `buf ${args[0]} of ${subject}: ${(cause as Error).message}`, { cause });
  }
}
