// Holds what a suite found against what is allowed: a deviation without a reason fails, and so does a reason without its deviation.
import type { Allowance, Finding } from "./suite.ts";

export interface Judgement {
  readonly faults: readonly Finding[];
  /** How many kinds of deviation each allowance covers. */
  readonly allowed: readonly (Allowance & { readonly kinds: number })[];
  /** Allowances whose deviation no longer occurs. */
  readonly outlived: readonly Allowance[];
}

/** Whether an allowance names a finding. */
function names({ id }: Allowance, finding: Finding): boolean {
  const pattern = id.split("*").map((text) => text.replaceAll(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`));
  return new RegExp(`^${pattern.join(".*")}$`, "s").test(finding.id);
}

/** Sorts findings into those that have a reason and those that have none. */
export function judge(findings: readonly Finding[], allowances: readonly Allowance[]): Judgement {
  const allowed = allowances.map((allowance) => ({
    ...allowance,
    kinds: findings.filter((finding) => names(allowance, finding)).length,
  }));
  return {
    faults: findings.filter((finding) => !allowances.some((allowance) => names(allowance, finding))),
    allowed,
    outlived: allowed.filter(({ occurs, kinds }) => occurs === "in every run" && kinds === 0),
  };
}
