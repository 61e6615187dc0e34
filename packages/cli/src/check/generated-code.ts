// What a contract change does to the source of callers whose types are generated again: buf's findings about names. Judged as a style is, on request.
import type { Change } from "@roundtrip/contract/changes";
import {
  breaks,
  safe,
  type BreakingChanges,
  type BufFinding,
  type Judgement,
  type ToolFinding,
} from "@roundtrip/styles";

/** Rules of buf's category FILE about what no generated source has a name for. */
const withoutName: ReadonlySet<string> = new Set(["FIELD_SAME_JSON_NAME", "RPC_SAME_IDEMPOTENCY_LEVEL"]);

function judge(change: Change, findings: readonly ToolFinding[]): Judgement {
  if (change.kind === "enum-value-renumbered" || change.kind === "field-renumbered")
    return safe("source has names, not numbers");
  const [first] = findings.filter(({ rule }) => !withoutName.has(rule));
  if (first !== undefined) return breaks(first.text.replace(/\.$/, ""));
  return change.kind === "operation-moved" || change.kind === "type-moved"
    ? breaks("its name in source changes")
    : safe("existing source still compiles");
}

export const breakingChanges: BreakingChanges = {
  notCarried: [],
  usesBuf: true,
  findings: async (_contracts, buf) => buf.filter(({ isInSource }) => isInSource),
  judge,
  judgeFinding(finding) {
    // What is about bytes is reported for styles that send them.
    return (finding as BufFinding).isOnWire ? safe("not in source") : breaks(finding.text);
  },
};
