// The suites: every folder here that has a `suite.ts`.
import { globSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Suite } from "./suite.ts";

/** Their names, in alphabetical order. */
export function suiteNames(): readonly string[] {
  return globSync("*/suite.ts", { cwd: import.meta.dirname })
    .map(dirname)
    .toSorted();
}

/** Loads one of them. */
export async function loadSuite(name: string): Promise<Suite> {
  const { suite } = (await import(join(import.meta.dirname, name, "suite.ts"))) as { readonly suite: Suite };
  return suite;
}
