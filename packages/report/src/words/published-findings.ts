// Judges the claims of published studies: by a run, and by the figures that their authors printed.
import {
  counted,
  isOfSeries,
  judgedArms,
  judgedRows,
  judgedSeries,
  ownFigures,
  ratioText,
  styleTitles,
  type JudgedArms,
  type TestedCell,
  type Verdict,
} from "@roundtrip/analysis";
import type { ArmTest, PublishedClaim, PublishedFigures, SeriesTest } from "@roundtrip/runs";
import type { ReportInput } from "../view/report-input.ts";
import { factorValue, variantLabel } from "./arm-label.ts";
import { duration, timeUnitFor } from "../basics/quantity.ts";

/** What a run shows of a finding. */
interface Shown {
  /** A sentence without its full stop. */
  readonly here: string;
  readonly verdict: Verdict;
}

/** Names that tell a reader nothing beside the others. */
const unlabelled = new Set(["task", "thinkTime", "arrivals", "congestionControl", "slowStartAfterIdle"]);

type TitleOf = ReturnType<typeof styleTitles>;

function labelOf(properties: TestedCell["common"], titleOf: TitleOf): string {
  return Object.entries(properties)
    .filter(([name, value]) => !unlabelled.has(name) && value !== "")
    .map(([name, value]) => {
      if (name === "style") return titleOf(String(value));
      return name === "variant" ? variantLabel(String(value)) : factorValue(name, value);
    })
    .join(", ");
}

/** The arm where two differ, then what both share: `gRPC to REST: 6 attributes`. */
function cellLabel({ pair, common }: TestedCell, titleOf: TitleOf): string {
  const compared = pair === null ? "" : pair.map((end) => labelOf(end, titleOf) || "its default").join(" to ");
  return [compared, labelOf(common, titleOf)].filter((part) => part !== "").join(": ");
}

function valueText(cell: TestedCell, titleOf: TitleOf): string {
  const { value, low, high, inProcessMs } = cell;
  const interval = low === null || high === null ? "" : ` (${ratioText(low)} to ${ratioText(high)})`;
  const unit = timeUnitFor(inProcessMs === undefined ? [] : [inProcessMs]);
  const work = inProcessMs === undefined ? "" : ` × ${duration(inProcessMs, unit)} ${unit.symbol}`;
  return `${ratioText(value)}${interval}${work} for ${cellLabel(cell, titleOf)}`;
}

/** With more cells than this, only the least and the largest value are in words. */
const mostListed = 3;

function measureText(test: ArmTest | SeriesTest): string {
  if (test.kind === "growth") return `powers of ${test.factor}`;
  if (test.kind === "queue-agrees") return `measured over ${queues[test.model]}`;
  return test.kind in measures ? measures[test.kind as keyof typeof measures] : "ratios";
}

const queues = {
  response: "1 / (μ − λ)",
  processor: "M/M/1 with μ from processor time",
  arrivals: "a queue of the same arrivals with constant work",
} as const;

const measures = {
  "round-trips": "round trips",
  "model-agrees": "median error, as a share of what was measured,",
  "simulation-agrees": "simulated over predicted",
} as const;

function shownOf(test: ArmTest | SeriesTest, judged: JudgedArms | null, titleOf: TitleOf): Shown | null {
  if (judged === null) return null;
  const { verdict, cells, within, beyond, open, stylesWithin } = judged;
  const [least] = cells;
  const value = (cell: TestedCell): string => valueText(cell, titleOf);
  const styles = stylesWithin.length === 0 ? "" : `; it holds over ${stylesWithin.map(titleOf).join(" and ")}`;
  if (cells.length <= mostListed)
    return { verdict, here: `${measureText(test)} ${cells.map(value).join("; ")}${styles}` };
  const counts = `${within} of ${counted(cells.length, "cell")} within, ${beyond} beyond, ${open} open`;
  const most = cells.at(-1) ?? least;
  return { verdict, here: `${counts}; ${measureText(test)} from ${value(least)}, up to ${value(most)}${styles}` };
}

/** As in lists of claims: a mark and the words of each verdict. */
export const verdictMarks = {
  holds: "●",
  "does not hold": "○",
  "cannot tell": "?",
} as const satisfies Readonly<Record<Verdict, string>>;

/** A published claim with what the run and its authors' own figures show. */
export interface JudgedClaim {
  readonly verdict: Verdict;
  /** What the authors found, without a full stop. */
  readonly found: string;
  /** With what shows it; ends with a full stop. */
  readonly text: string;
}

function judgedClaim(
  input: ReportInput,
  figures: PublishedFigures,
  { found, test, otherwise }: PublishedClaim,
): JudgedClaim {
  if (test.kind === "elsewhere") {
    const shownBy = test.command === undefined ? "" : `: ${test.command}`;
    return { verdict: "cannot tell", found, text: `${found}. It needs ${test.needs}${shownBy}.` };
  }
  const { study } = figures;
  const [judgedHere, judgedThere] = isOfSeries(test)
    ? [judgedSeries(input.analysis, study, test), judgedRows(figures.rows, test)]
    : [judgedArms(input.analysis, study, test), judgedArms(ownFigures(figures), study, test)];
  const titleOf = styleTitles(input.analysis.arms);
  const [shown, theirs] = [shownOf(test, judgedHere, titleOf), shownOf(test, judgedThere, titleOf)];
  const here = shown === null ? "This run cannot show it." : `Here: ${shown.here}.`;
  const there = theirs === null ? "" : ` Their own figures: ${theirs.verdict}; ${theirs.here}.`;
  const why = shown?.verdict === "does not hold" && otherwise !== undefined ? ` ${otherwise}.` : "";
  return { verdict: shown?.verdict ?? "cannot tell", found, text: `${found}. ${here}${why}${there}` };
}

export function judgedClaims(input: ReportInput, figures: PublishedFigures): readonly JudgedClaim[] {
  return figures.claims.map((claim) => judgedClaim(input, figures, claim));
}

/** Where figures come from, as sentences; empty where an earlier study of the run has the same source. */
export function sourceText({ published }: ReportInput, figures: PublishedFigures): string {
  const { name, source, setting, caveats } = figures;
  const isFirst = published.find((earlier) => earlier.source === source) === figures;
  return isFirst ? [`${name}: ${source}.`, setting, ...caveats].join(" ") : "";
}
