// The programs of a run, each bundled anew before anything is measured; what cannot be bundled runs from its sources, and the run says so.
import type { Warning } from "@roundtrip/analysis";
import { bundleProgram } from "./bundle-program.ts";
import { keepProgram } from "./kept-program.ts";
import { processFile, type Programs, type Role } from "./programs.ts";

export interface ProgramsWanted {
  readonly stacks: readonly string[];
  /** Stacks whose servers run elsewhere. */
  readonly targets: readonly string[];
  /** The module of the service: a URL or a path. */
  readonly service: string;
}

export interface BundledPrograms {
  readonly programs: Programs;
  readonly warnings: readonly Warning[];
}

/** Never rejects: a run without bundles is a slower run. */
export async function bundledPrograms({ stacks, targets, service }: ProgramsWanted): Promise<BundledPrograms> {
  const files = new Map<string, string>();
  const faults = new Map<Role, string>();
  const make = async (role: Role, stack: string): Promise<void> => {
    try {
      files.set(`${role} ${stack}`, await keepProgram(await bundleProgram({ role, stack, service })));
    } catch (thrown) {
      faults.set(role, reasonOf(thrown));
    }
  };
  const served = stacks.filter((stack) => !targets.includes(stack));
  await Promise.all([...stacks.map((stack) => make("client", stack)), ...served.map((stack) => make("server", stack))]);
  const warnings = [...faults].map(([role, why]) => ({
    code: "not-bundled",
    message: `${role} processes start from their sources, one module after the other, which takes a round longer and changes nothing that is measured: ${why}`,
  }));
  // One end of all stacks is alike: bundled code would be told from what is not.
  const fileOf = (role: Role, stack: string): string =>
    (faults.has(role) ? undefined : files.get(`${role} ${stack}`)) ?? processFile(role);
  return { programs: { fileOf }, warnings };
}

/** What was said first of what went wrong: bundlers go on with where. */
function reasonOf(thrown: unknown): string {
  const lines = (thrown instanceof Error ? thrown.message : String(thrown)).split("\n").map((line) => line.trim());
  return lines.find((line) => line !== "" && !/^(?:Build failed|\[plugin|\[)/.test(line)) ?? lines.join(" ");
}
