// What stands below the counts when a server elsewhere fails in nothing but what its contract does not tell, as a fake does.
import { serviceSpecificCases, type CaseResult } from "@roundtrip/contract/conformance";

const beyond: ReadonlySet<string> = new Set(serviceSpecificCases.map(({ caseId }) => caseId));

/** A line; empty when nothing failed, or anything else did. */
export function beyondNote(results: readonly CaseResult[]): string {
  const failed = results.filter(({ status }) => status === "fail");
  if (failed.length === 0 || failed.some(({ caseId }) => !beyond.has(caseId))) return "";
  return 'All that failed asks for what no contract tells, and a fake makes up: docs/fakes.md, "What no contract tells".\n';
}
