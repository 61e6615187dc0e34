// Lists the judges by file: a new style needs only a new file in `styles/`.
import { styleNames } from "@roundtrip/styles/names";
import { existsSync } from "node:fs";
import { extname, join } from "node:path";

/** Source files are .ts, those of a published package .js. */
export const extension = extname(import.meta.filename);

/** Not a style: the source code of callers with regenerated types. */
export const generatedCode = "code";

/** The names of the styles that judge contract changes, in alphabetical order. Loads no style. */
export function judgingStyleNames(): readonly string[] {
  return styleNames().filter((name) => existsSync(join(import.meta.dirname, "styles", `${name}${extension}`)));
}

/** The names of all judges: the styles, and generated code. */
export function judgeNames(): readonly string[] {
  return [...judgingStyleNames(), generatedCode];
}
