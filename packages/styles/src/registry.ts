// Loads the parts of a style on request.
import type { AnswerFaults } from "./basics/answer-faults.ts";
import type { StyleAttack } from "./basics/attacks.ts";
import type { BreakingChanges } from "./basics/breaking-changes.ts";
import type { KnownLimits } from "./basics/known-limits.ts";
import type { ProtocolMisuse } from "./basics/misuse.ts";
import { StyleError } from "./basics/style-error.ts";
import { extension, hasPart, judgingStyleNames, styleNames } from "./style-names.ts";
import type { StyleRules } from "./basics/rules.ts";
import type { Style } from "./basics/style.ts";

async function part(name: string, file: string): Promise<Record<string, unknown>> {
  if (!styleNames().includes(name)) {
    throw new StyleError("unknown-style", `there is no style "${name}" (there are ${styleNames().join(", ")})`);
  }
  return (await import(new URL(`./${name}/${file}${extension}`, import.meta.url).href)) as Record<string, unknown>;
}

/** The description of a style. Rejects with a StyleError if there is no such style. */
export async function loadStyle(name: string): Promise<Style> {
  return (await part(name, "index"))["style"] as Style;
}

/** Loads a part that a style may lack. @param otherwise for a style without it */
function optionalPart<T>(file: string, exported: string, otherwise: T): (style: string) => Promise<T> {
  return async (style) => (hasPart(style, file) ? ((await part(style, file))[exported] as T) : otherwise);
}

/** Bytes that no client of a style sends. */
export const loadMisuses = optionalPart<ProtocolMisuse | undefined>("misuse", "misuses", undefined);

/** Signs of a server's fault in a style's answers. */
export const loadAnswerFaults = optionalPart<AnswerFaults | undefined>("answer-faults", "answerFaults", undefined);

/** Attacks on a style's own features. */
export const loadAttacks = optionalPart<readonly StyleAttack[]>("attacks", "attacks", []);

/** The values that a style cannot carry. */
export const loadKnownLimits = optionalPart<KnownLimits>("known-limits", "knownLimits", { calls: [], spellings: [] });

/** How a style expresses the rules that apply to every style; undefined for a style that carries only bytes. */
export const loadRules = optionalPart<StyleRules | undefined>("rules", "rules", undefined);

/** What a style says about contract changes. Rejects with a StyleError if it does not judge them. */
export async function loadBreakingChanges(name: string): Promise<BreakingChanges> {
  const judging = judgingStyleNames();
  if (!judging.includes(name)) {
    throw new StyleError("unknown-style", `no style "${name}" judges contract changes (${judging.join(", ")} do)`);
  }
  return (await part(name, "breaking-changes"))["breakingChanges"] as BreakingChanges;
}
