// Compares findings of a suite with the allowed ones. A deviation without a reason fails, and so does a reason without its deviation.
import type { Allowance, Finding } from "./suite.ts";

export interface Judgement {
  readonly faults: readonly Finding[];
  /** The allowances that apply, with their number of kinds of deviation. */
  readonly allowed: readonly (Allowance & { readonly kinds: number })[];
  readonly obsolete: readonly Allowance[];
}

function names({ id }: Allowance, finding: Finding): boolean {
  const pattern = id.split("*").map((text) => text.replaceAll(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`));
  return new RegExp(`^${pattern.join(".*")}$`, "s").test(finding.id);
}

/** The allowances for a suite on these stacks. */
export function allowancesOn(stacks: readonly string[], allowances: readonly Allowance[]): readonly Allowance[] {
  return allowances.filter((one) => one.stacks === "all" || one.stacks.some((stack) => stacks.includes(stack)));
}

/** Sorts findings into allowed ones and faults. */
export function judge(findings: readonly Finding[], allowances: readonly Allowance[]): Judgement {
  const allowed = allowances.map((allowance) => ({
    ...allowance,
    kinds: findings.filter((finding) => names(allowance, finding)).length,
  }));
  return {
    faults: findings.filter((finding) => !allowances.some((allowance) => names(allowance, finding))),
    allowed,
    obsolete: allowed.filter(({ occurs, kinds }) => occurs === "in every run" && kinds === 0),
  };
}
