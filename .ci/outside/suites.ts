// The suites: every folder beside this file with a `suite.ts`.
import { globSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Suite } from "./suite.ts";

/** The names of suites, in alphabetical order. */
export function suiteNames(): readonly string[] {
  return globSync("*/suite.ts", { cwd: import.meta.dirname })
    .map(dirname)
    .toSorted();
}

export async function loadSuite(name: string): Promise<Suite> {
  const { suite } = (await import(join(import.meta.dirname, name, "suite.ts"))) as { readonly suite: Suite };
  return suite;
}
