// The k6 of this machine: where it is, and whether it is one that is known here.
import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { homeFolder } from "@roundtrip/runner/files";
import { K6Error } from "../k6-error.ts";

export interface K6Program {
  readonly path: string;
  /** For example `v1.8.1`. */
  readonly version: string;
  readonly major: number;
}

/** How k6 comes to a machine that has Go. */
export const installCommand = "go install go.k6.io/k6@v1.8.1";

const supported = [1, 2];
const versionLimitMs = 10_000;

/** Where programs are looked for: what the shell finds first, then where Go puts what it installs. */
function folders(env: NodeJS.ProcessEnv): readonly string[] {
  const { PATH = "", GOBIN, GOPATH } = env;
  const home = homeFolder();
  const usualPath = home === undefined ? undefined : join(home, "go");
  const ofGo = [GOBIN, ...((GOPATH ?? usualPath)?.split(delimiter) ?? []).map((path) => join(path, "bin"))];
  return [...PATH.split(delimiter), ...ofGo].filter(
    (folder): folder is string => folder !== undefined && folder !== "",
  );
}

/** The first that can be run. */
async function runnable(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const suffix = process.platform === "win32" ? ".exe" : "";
  for (const folder of folders(env)) {
    const path = join(folder, `k6${suffix}`);
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}

/** Rejects with a K6Error `no-k6` that says what helps: where there is none, one that does not tell its version, or one of an unknown version. */
export async function findK6(env: NodeJS.ProcessEnv = process.env): Promise<K6Program> {
  const path = await runnable(env);
  if (path === undefined) throw new K6Error("no-k6", `k6 is not installed; "${installCommand}" installs it`);
  let said: string;
  try {
    ({ stdout: said } = await promisify(execFile)(path, ["version"], {
      timeout: versionLimitMs,
      env: { PATH: env["PATH"] },
    }));
  } catch (cause) {
    throw new K6Error("no-k6", `${path} does not tell its version; "${installCommand}" installs one that does`, {
      cause,
    });
  }
  const [, version, major] = /\bk6(?:\.exe)? (v(\d+)\.\d+\.\d+\S*)/.exec(said) ?? [];
  if (version === undefined || !supported.includes(Number(major))) {
    const is = version ?? JSON.stringify(said.trim().slice(0, 60));
    throw new K6Error("no-k6", `${path} is k6 ${is}, and 1.x or 2.x is needed; "${installCommand}" installs one`);
  }
  return { path, version, major: Number(major) };
}
