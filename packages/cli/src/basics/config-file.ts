// Reads `roundtrip.config.ts` of the working directory, or of a version that is compared.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { CliError } from "./cli-error.ts";
import { requireReadableImports } from "./found-files.ts";

const fileNames = ["roundtrip.config.ts", "roundtrip.config.js", "roundtrip.config.mjs"];

/** A file that takes longer to load is named. */
const noticeMs = 2_000;

/** Keys are flags in camel case (`rounds`, `stack`, `budget`); values are as on the command line. */
type Config = Readonly<Record<string, unknown>>;

const placePattern = /roundtrip\.config\.\w+:(\d+)/;

/** The line from the error's stack. */
function lineOf(thrown: unknown): string {
  const [, line] = placePattern.exec(thrown instanceof Error ? (thrown.stack ?? "") : "") ?? [];
  return line === undefined ? "" : `line ${line}: `;
}

function whyOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  // A parser shows the position in further lines; the line number suffices.
  return text.trim().split("\n").at(-1)?.trim() ?? "";
}

/** Loads the settings of a folder; undefined without a file. Rejects with a CliError with file and line. */
export async function loadConfigFile(
  folder = ".",
): Promise<{ readonly path: string; readonly config: Config } | undefined> {
  const path = fileNames.map((name) => resolve(folder, name)).find((name) => existsSync(name));
  if (path === undefined) return undefined;
  requireReadableImports(path);
  let config: unknown;
  // It may wait for anything. A pipe that one of its imports imports stops Node.js itself.
  const patience = setTimeout(() => process.stderr.write(`roundtrip: still loading ${path}\n`), noticeMs).unref();
  try {
    config = ((await import(pathToFileURL(path).href)) as { readonly default?: unknown }).default;
  } catch (cause) {
    throw new CliError("usage", `cannot use ${path}: ${lineOf(cause)}${whyOf(cause)}`, { cause });
  } finally {
    clearTimeout(patience);
  }
  if (typeof config !== "object" || config === null || Array.isArray(config)) {
    throw new CliError("usage", `cannot use ${path}: it must export its settings: export default { rounds: 6 }`);
  }
  return { path, config: config as Config };
}
