// What a style says about contract changes: whether they break callers that were built before.
import type { Contract, OperationKind } from "@roundtrip/contract";
import type { Change } from "@roundtrip/contract/changes";
import type { Judgement } from "./judgement.ts";

/** What a tool found when it compared two contracts. */
export interface ToolFinding {
  readonly tool: "buf" | "graphql";
  /** The tool's name for its rule, such as `FIELD_SAME_NAME`. */
  readonly rule: string;
  /** In the tool's words. */
  readonly text: string;
  /** What it is about, in the tool's terms: shown if no known change explains it. */
  readonly where: string;
  /** Whether it follows from other findings, and so is never reported alone. */
  readonly isDerived: boolean;
  isAbout(change: Change): boolean;
}

export interface BufFinding extends ToolFinding {
  /** Whether the rule is about bytes and methods that callers send. */
  readonly isOnWire: boolean;
  readonly isInSource: boolean;
}

export interface ComparedContracts {
  readonly before: Contract;
  readonly after: Contract;
}

/** What `breaking-changes.ts` of a style exports as `breakingChanges`. */
export interface BreakingChanges {
  /** Kinds of operations that the style does not carry: changes of what only those use are safe. */
  readonly notCarried: readonly OperationKind[];
  readonly usesBuf: boolean;
  /** What tools find between two contracts in this style. `buf` is empty unless the style uses it. */
  findings(contracts: ComparedContracts, buf: readonly BufFinding[]): Promise<readonly ToolFinding[]>;
  /** Judges a change, with the findings that it explains. */
  judge(change: Change, findings: readonly ToolFinding[], contracts: ComparedContracts): Judgement;
  /** Judges a finding that no change explains. */
  judgeFinding(finding: ToolFinding): Judgement;
}
