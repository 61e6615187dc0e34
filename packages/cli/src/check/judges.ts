// Who judges contract changes: the styles that declare how, and generated code.
import { judgingStyleNames, loadBreakingChanges, loadStyle, type BreakingChanges } from "@roundtrip/styles";

/** Not a style of calling: the source of callers whose types are generated again. */
const generatedCode = "code";

/** What `--style` selects from. Loads no style. */
export function judgeNames(): readonly string[] {
  return [...judgingStyleNames(), generatedCode];
}

/** Judges unless others are named: those whose existing callers a change can break. */
export function defaultJudgeNames(): readonly string[] {
  return judgingStyleNames();
}

/** One judge, with its name and title in reports. */
export interface StyleJudge extends BreakingChanges {
  readonly name: string;
  readonly title: string;
}

/** Loads a judge by one of `judgeNames`. */
export async function loadJudge(name: string): Promise<StyleJudge> {
  if (name === generatedCode)
    return { ...(await import("./generated-code.ts")).breakingChanges, name, title: "Generated code" };
  const [breakingChanges, { title }] = await Promise.all([loadBreakingChanges(name), loadStyle(name)]);
  return { ...breakingChanges, name, title };
}
