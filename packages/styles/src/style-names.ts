// Lists styles by folder: a new style needs only a new folder. Help and shell completion load this as `@roundtrip/styles/names`, with the errors of styles.
import { CodedError } from "@roundtrip/contract/coded-error";
import { existsSync, readdirSync } from "node:fs";
import { extname, join } from "node:path";

/** Source files are .ts, those of a published package .js. */
export const extension = extname(import.meta.filename);

export function hasPart(name: string, file: string): boolean {
  return existsSync(join(import.meta.dirname, name, `${file}${extension}`));
}

/** The names of all styles, in alphabetical order. */
export function styleNames(): readonly string[] {
  return readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && hasPart(entry.name, "index"))
    .map((entry) => entry.name)
    .toSorted();
}

/** `unknown-style`: no folder of that name. `unusable-contract`: the style cannot serve the contract. */
export type StyleErrorCode = "unknown-style" | "unusable-contract";

export class StyleError extends CodedError<StyleErrorCode> {
  override readonly name = "StyleError";
}
