// Finds k6 on this machine and checks its version.
import { execFile } from "node:child_process";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { homeFolder, programIn } from "@roundtrip/runs/files";
import { K6Error } from "../basics/k6-error.ts";

export interface K6Program {
  readonly path: string;
  /** For example `v1.8.1`. */
  readonly version: string;
  readonly major: number;
}

/** The release that is tested. */
export const k6Version = "1.8.1";

/** Installs k6 on a machine with Go. */
export const installCommand = `go install go.k6.io/k6@v${k6Version}`;

const supported = [1, 2];
const versionLimitMs = 10_000;

/** The folders to search: those of the shell first, then those where Go installs programs. */
function folders(env: NodeJS.ProcessEnv): readonly string[] {
  const { PATH = "", GOBIN, GOPATH } = env;
  const home = homeFolder();
  const usualPath = home === undefined ? undefined : join(home, "go");
  const ofGo = [GOBIN, ...((GOPATH ?? usualPath)?.split(delimiter) ?? []).map((path) => join(path, "bin"))];
  return [...PATH.split(delimiter), ...ofGo].filter(
    (folder): folder is string => folder !== undefined && folder !== "",
  );
}

/** Rejects with a K6Error `no-k6` that says what to do if k6 is missing, prints no version, or has an unsupported one. */
export async function findK6(env: NodeJS.ProcessEnv = process.env): Promise<K6Program> {
  const path = programIn(folders(env), process.platform === "win32" ? "k6.exe" : "k6");
  if (path === undefined) throw new K6Error("no-k6", `k6 is not installed; "${installCommand}" installs it`);
  let output: string;
  try {
    ({ stdout: output } = await promisify(execFile)(path, ["version"], {
      timeout: versionLimitMs,
      env: { PATH: env["PATH"] },
    }));
  } catch (cause) {
    throw new K6Error("no-k6", `"${path} version" failed; "${installCommand}" installs a k6 that works`, {
      cause,
    });
  }
  const [, version, major] = /\bk6(?:\.exe)? (v(\d+)\.\d+\.\d+\S*)/.exec(output) ?? [];
  if (version === undefined || !supported.includes(Number(major))) {
    const found = version ?? JSON.stringify(output.trim().slice(0, 60));
    throw new K6Error("no-k6", `${path} is k6 ${found}; k6 1.x or 2.x is required, "${installCommand}" installs one`);
  }
  return { path, version, major: Number(major) };
}
