// `roundtrip.config.ts`: the same settings as the flags, kept in a file.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { CliError } from "./cli-error.ts";

const fileNames = ["roundtrip.config.ts", "roundtrip.config.js", "roundtrip.config.mjs"];

/** Keys are flags in camel case (`rounds`, `stack`, `budget`); values are written as on the command line. */
export type Config = Readonly<Record<string, unknown>>;

/** `file:///…/roundtrip.config.ts:3` at the top of a syntax error's stack → `line 3: `. */
function lineOf(thrown: unknown): string {
  const [, line] = (thrown instanceof Error ? thrown.stack : undefined)?.match(/roundtrip\.config\.\w+:(\d+)/) ?? [];
  return line === undefined ? "" : `line ${line}: `;
}

function whyOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  // A parser draws the place in further lines, which the line number says in one.
  return text.trim().split("\n").at(-1)?.trim() ?? "";
}

/** The settings of the working directory; undefined without a file. Rejects with a CliError that names file and line. */
export async function loadConfigFile(): Promise<{ readonly path: string; readonly config: Config } | undefined> {
  const path = fileNames.map((name) => resolve(name)).find((name) => existsSync(name));
  if (path === undefined) return undefined;
  let config: unknown;
  try {
    config = ((await import(pathToFileURL(path).href)) as { readonly default?: unknown }).default;
  } catch (cause) {
    throw new CliError("usage", `cannot use ${path}: ${lineOf(cause)}${whyOf(cause)}`, { cause });
  }
  if (typeof config !== "object" || config === null || Array.isArray(config)) {
    throw new CliError("usage", `cannot use ${path}: it must export its settings: export default { rounds: 6 }`);
  }
  return { path, config: config as Config };
}
