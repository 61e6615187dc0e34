// Loads the judges of contract changes: the styles that have one, and generated code.
import { loadStyle, StyleError } from "@roundtrip/styles";
import { ofGeneratedCode } from "./generated-code.ts";
import type { BreakingChanges } from "./judgement.ts";
import { extension, generatedCode, judgeNames } from "./names.ts";

export interface StyleJudge extends BreakingChanges {
  readonly name: string;
  readonly title: string;
}

/** Loads a judge by its name. Rejects with a StyleError for an unknown one. */
export async function loadJudge(name: string): Promise<StyleJudge> {
  const known = judgeNames();
  if (!known.includes(name)) {
    throw new StyleError("unknown-style", `no style "${name}" judges contract changes (${known.join(", ")} do)`);
  }
  if (name === generatedCode) return { ...ofGeneratedCode, name, title: "Generated code" };
  const file = new URL(`./styles/${name}${extension}`, import.meta.url).href;
  const [{ breakingChanges }, { title }] = await Promise.all([
    import(file) as Promise<{ readonly breakingChanges: BreakingChanges }>,
    loadStyle(name),
  ]);
  return { ...breakingChanges, name, title };
}
