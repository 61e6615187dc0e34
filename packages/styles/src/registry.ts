// Loads the parts of a style on request.
import type { AnswerFaults } from "./answer-faults.ts";
import type { StyleAttack } from "./attacks.ts";
import type { BreakingChanges } from "./breaking-changes.ts";
import type { KnownLimits } from "./known-limits.ts";
import type { ProtocolMisuse } from "./misuse.ts";
import { StyleError } from "./style-error.ts";
import { extension, hasPart, judgingStyleNames, styleNames } from "./style-names.ts";
import type { StyleRules } from "./rules.ts";
import type { Style } from "./style.ts";

async function part(
  name: string,
  file: "index" | "misuse" | "answer-faults" | "attacks" | "known-limits" | "rules" | "breaking-changes",
): Promise<Record<string, unknown>> {
  if (!styleNames().includes(name)) {
    throw new StyleError("unknown-style", `there is no style "${name}" (there are ${styleNames().join(", ")})`);
  }
  return (await import(new URL(`./${name}/${file}${extension}`, import.meta.url).href)) as Record<string, unknown>;
}

/** The description of a style. Rejects with a StyleError if there is no such style. */
export async function loadStyle(name: string): Promise<Style> {
  return (await part(name, "index"))["style"] as Style;
}

/** Bytes that no client of the style sends: what its `misuse.ts` exports as `misuses`; undefined for a style without. */
export async function loadMisuses(name: string): Promise<ProtocolMisuse | undefined> {
  return hasPart(name, "misuse") ? ((await part(name, "misuse"))["misuses"] as ProtocolMisuse) : undefined;
}

/** Signs of a server's fault in a style's answers; undefined for a style without. */
export async function loadAnswerFaults(name: string): Promise<AnswerFaults | undefined> {
  return hasPart(name, "answer-faults")
    ? ((await part(name, "answer-faults"))["answerFaults"] as AnswerFaults)
    : undefined;
}

/** Attacks on the style's own features; empty for a style without. */
export async function loadAttacks(name: string): Promise<readonly StyleAttack[]> {
  return hasPart(name, "attacks") ? ((await part(name, "attacks"))["attacks"] as readonly StyleAttack[]) : [];
}

/** The values that a style cannot carry; none for a style that does not declare any. */
export async function loadKnownLimits(name: string): Promise<KnownLimits> {
  return hasPart(name, "known-limits")
    ? ((await part(name, "known-limits"))["knownLimits"] as KnownLimits)
    : { calls: [], spellings: [] };
}

/** How a style expresses the rules that apply to every style; undefined for a style that carries only bytes. */
export async function loadRules(name: string): Promise<StyleRules | undefined> {
  return hasPart(name, "rules") ? ((await part(name, "rules"))["rules"] as StyleRules) : undefined;
}

/** What a style says about contract changes. Rejects with a StyleError if it does not judge them. */
export async function loadBreakingChanges(name: string): Promise<BreakingChanges> {
  const judging = judgingStyleNames();
  if (!judging.includes(name)) {
    throw new StyleError("unknown-style", `no style "${name}" judges contract changes (${judging.join(", ")} do)`);
  }
  return (await part(name, "breaking-changes"))["breakingChanges"] as BreakingChanges;
}
