// Runs a round of an export with k6, as its README says.
import { findK6 } from "@roundtrip/k6";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

/** Resolves to the path of the results. Rejects if k6 is not there, or fails. @param addresses of the servers, by variable */
export async function runExport(folder: string, addresses: Readonly<Record<string, string>>): Promise<string> {
  const k6 = await findK6();
  const results = "results-1.json";
  const usual = ["--quiet", "--no-usage-report", "--address", "127.0.0.1:0", "--out", `json=${results}`];
  const { PATH = "" } = process.env;
  await promisify(execFile)(k6?.path ?? "k6", ["run", "-e", `T0=${Date.now() + 3_000}`, ...usual, "script.js"], {
    cwd: folder,
    env: { PATH, HOME: folder, K6_VERSION: k6?.version, WARM_UP_MS: "100", ...addresses },
    timeout: 40_000,
  });
  return join(folder, results);
}
