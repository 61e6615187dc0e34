// `roundtrip.config.ts`: the same settings as the flags, kept in a file. Flags win over environment, environment over the file.
import type { Command } from "commander";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { CliError } from "./cli-error.ts";
import { nearestName } from "./nearest-name.ts";

const fileNames = ["roundtrip.config.ts", "roundtrip.config.js", "roundtrip.config.mjs"];

/** Keys are option names in camel case (`rounds`, `stack`, `budget`); values are written as on the command line. */
export type Config = Readonly<Record<string, string | number | boolean | readonly string[]>>;

async function load(): Promise<{ readonly path: string; readonly config: Config } | undefined> {
  const path = fileNames.map((name) => resolve(name)).find((name) => existsSync(name));
  if (path === undefined) return undefined;
  try {
    const module = (await import(pathToFileURL(path).href)) as { readonly default?: Config };
    if (typeof module.default !== "object" || module.default === null) {
      throw new Error("it has no default export: export default { rounds: 6 }");
    }
    return { path, config: module.default };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CliError("usage", `Cannot use ${path}: ${why}`, { cause });
  }
}

/** Fills in what neither a flag nor the environment has set. Keys of other commands are left alone; unknown ones are an error. */
export async function applyConfigFile(command: Command, allOptionNames: readonly string[]): Promise<void> {
  const loaded = await load();
  if (loaded === undefined) return;
  for (const [key, value] of Object.entries(loaded.config)) {
    const option = command.options.find((candidate) => candidate.attributeName() === key);
    if (option === undefined) {
      if (allOptionNames.includes(key)) continue;
      const nearest = nearestName(key, allOptionNames);
      const hint = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
      throw new CliError("usage", `${loaded.path}: there is no setting "${key}".${hint}`);
    }
    const source = command.getOptionValueSource(key);
    if (source !== undefined && source !== "default") continue;
    try {
      const text = Array.isArray(value) ? value.join(",") : String(value);
      const parsed: unknown =
        option.parseArg === undefined || typeof value === "boolean" ? value : option.parseArg(text, undefined);
      command.setOptionValueWithSource(key, parsed, "config");
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new CliError("usage", `${loaded.path}: "${key}": ${why}`, { cause });
    }
  }
}
