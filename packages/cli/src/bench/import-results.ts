// `bench --import`: results of k6 that ran elsewhere become a run directory.
import { dirname } from "node:path";
import type { EngineFlags } from "./engine-options.ts";

/** Gives back where the run is: `directory` is asked when there is one to write. Rejects with a K6Error for results that cannot be read, or are of another plan. */
export async function importResults(
  { import: files = [], plan }: EngineFlags,
  directory: () => string,
  command: string,
): Promise<string> {
  const { importRun, readPlans } = await import("@roundtrip/k6");
  const folders = plan ?? [...new Set(files.map((file) => dirname(file)))];
  const plans = (await Promise.all(folders.map((folder) => readPlans(folder)))).flat();
  return importRun({ files, plans, directory, command });
}
