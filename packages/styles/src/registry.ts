// Finds styles by looking at the folders beside this file: a new style is a new folder, and nothing here changes.
import { existsSync, readdirSync } from "node:fs";
import { extname, join } from "node:path";
import { StyleError } from "./style-error.ts";
import type { AnswerFaults } from "./answer-faults.ts";
import type { ProtocolMisuse } from "./misuse.ts";
import type { StyleRules } from "./rules.ts";
import type { Style } from "./style.ts";

// Source runs as .ts, a published package as .js.
const extension = extname(import.meta.filename);

function has(name: string, file: string): boolean {
  return existsSync(join(import.meta.dirname, name, `${file}${extension}`));
}

/** The names of all styles, in alphabetical order. */
export function styleNames(): readonly string[] {
  return readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && has(entry.name, "index"))
    .map((entry) => entry.name)
    .toSorted();
}

async function part(
  name: string,
  file: "index" | "misuse" | "answer-faults" | "rules",
): Promise<Record<string, unknown>> {
  if (!styleNames().includes(name)) {
    throw new StyleError("unknown-style", `there is no style "${name}" (there are ${styleNames().join(", ")})`);
  }
  return (await import(new URL(`./${name}/${file}${extension}`, import.meta.url).href)) as Record<string, unknown>;
}

/** A style's description of itself. Rejects with a StyleError when there is no such style. */
export async function loadStyle(name: string): Promise<Style> {
  return (await part(name, "index"))["style"] as Style;
}

/** Bytes that no client of the style sends: what its `misuse.ts` exports as `misuses`; undefined for a style without. */
export async function loadMisuses(name: string): Promise<ProtocolMisuse | undefined> {
  return has(name, "misuse") ? ((await part(name, "misuse"))["misuses"] as ProtocolMisuse) : undefined;
}

/** What shows in a style's answers that its server did wrong; undefined for a style without. */
export async function loadAnswerFaults(name: string): Promise<AnswerFaults | undefined> {
  return has(name, "answer-faults") ? ((await part(name, "answer-faults"))["answerFaults"] as AnswerFaults) : undefined;
}

/** How a style expresses the rules that apply to every style; undefined for one that carries bytes alone. */
export async function loadRules(name: string): Promise<StyleRules | undefined> {
  return has(name, "rules") ? ((await part(name, "rules"))["rules"] as StyleRules) : undefined;
}
