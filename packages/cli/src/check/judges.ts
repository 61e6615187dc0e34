// The judges of contract changes: the styles that have one, and generated code.
import {
  judgingStyleNames,
  loadBreakingChanges,
  loadStyle,
  type BreakingChanges,
  breaks,
  safe,
  type BufFinding,
  type Judgement,
  type ToolFinding,
} from "@roundtrip/styles";
import { defaultStyleNames } from "@roundtrip/stacks/names";
import type { Change } from "@roundtrip/contract/changes";

/** Rules of buf's category FILE about elements without a name in generated source. */
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

/** Judges the effect on source code with regenerated types, by buf's findings about names. */
const ofGeneratedCode: BreakingChanges = {
  notCarried: [],
  usesBuf: true,
  findings: async (_contracts, buf) => buf.filter(({ isInSource }) => isInSource),
  judge,
  judgeFinding(finding) {
    // Findings about bytes are reported for the styles that send them.
    return (finding as BufFinding).isOnWire ? safe("not in source") : breaks(finding.text);
  },
};

/** Not a style: the source code of callers with regenerated types. */
const generatedCode = "code";

/** The names that `--style` accepts. Loads no style. */
export function judgeNames(): readonly string[] {
  return [...judgingStyleNames(), generatedCode];
}

/** The default judges: the default styles whose existing callers a change can break. */
export function defaultJudgeNames(): readonly string[] {
  const usual = new Set(defaultStyleNames());
  return judgingStyleNames().filter((name) => usual.has(name));
}

export interface StyleJudge extends BreakingChanges {
  readonly name: string;
  readonly title: string;
}

/** Loads a judge by a name of `judgeNames`. */
export async function loadJudge(name: string): Promise<StyleJudge> {
  if (name === generatedCode) return { ...ofGeneratedCode, name, title: "Generated code" };
  const [breakingChanges, { title }] = await Promise.all([loadBreakingChanges(name), loadStyle(name)]);
  return { ...breakingChanges, name, title };
}
