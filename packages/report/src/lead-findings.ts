// Which sentences of a long verdict come first: each kind for the first task of a study that has it; the others are kept, but below.
import type { Analysis, Finding } from "@roundtrip/analysis";

// As many as a reader takes in at once.
const shortVerdict = 8;

export interface LeadFindings {
  readonly lead: readonly Finding[];
  readonly rest: readonly Finding[];
}

/** Both in the order of the findings; `rest` is empty when the verdict is short anyway. */
export function leadFindings({ arms, findings }: Pick<Analysis, "arms" | "findings">): LeadFindings {
  if (findings.length <= shortVerdict) return { lead: findings, rest: [] };
  const tasks = new Map(arms.map(({ id, task }) => [id, task]));
  const taskOf = ({ armIds }: Finding): string => tasks.get(armIds[0] ?? "") ?? "";
  const firstTask = new Map<string, string>();
  const leads = (finding: Finding): boolean => {
    const kind = JSON.stringify([finding.study, finding.code]);
    const first = firstTask.get(kind) ?? taskOf(finding);
    firstTask.set(kind, first);
    return first === taskOf(finding);
  };
  const { lead = [], rest = [] } = Object.groupBy(findings, (finding) => (leads(finding) ? "lead" : "rest"));
  return { lead, rest };
}
