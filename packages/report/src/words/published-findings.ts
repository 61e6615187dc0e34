// Judges the claims of published studies: by a run, and by the figures that their authors printed.
import {
  concurrencySeries,
  counted,
  judgedArms,
  listed,
  minimumRounds,
  ownFigures,
  predictionErrors,
  ratioText,
  threeDigits,
  type JudgedArms,
  type LoadSeries,
  type TestedCell,
  type Verdict,
} from "@roundtrip/analysis";
import { duration, timeUnitFor } from "../basics/quantity.ts";
import { seriesTitle } from "../rows/load-rows.ts";
import type { ArmTest, PublishedClaim, PublishedFigures, SeriesTest } from "@roundtrip/runs";
import type { ReportInput } from "../view/report-input.ts";
import { factorValue, variantLabel } from "./arm-label.ts";

/** What a run shows of a finding. */
interface Shown {
  /** A sentence without its full stop. */
  readonly here: string;
  readonly verdict: Verdict;
}

/** Returns what one study of a run shows; null where it did not measure it. */
type Judge = (input: ReportInput, study: string, test: SeriesTest) => Shown | null;

/** Without an interval, fewer rounds than one needs decide nothing. */
function verdictOf({ analysis }: ReportInput, holds: boolean): Verdict {
  if (analysis.rounds.complete < minimumRounds) return "cannot tell";
  return holds ? "holds" : "does not hold";
}

/** Multiple of a single caller's latency at which a curve has its knee. */
const kneeAt = 3;
/** Well below capacity a queue of constant work is short; well above it, the queue grows during the whole measurement. */
const [lightly, overloaded] = [0.7, 1.3];

function seriesOf({ analysis }: ReportInput, study: string): readonly LoadSeries[] {
  return analysis.loadSeries.filter((series) => series.study === study);
}

const responseExplodes: Judge = (input, study) => {
  const ends = seriesOf(input, study).flatMap((series) => {
    const kept = series.points.flatMap(({ offered, responseMs }) =>
      responseMs === null ? [] : [{ offered, responseMs }],
    );
    const below = kept.findLast(({ offered }) => offered <= lightly);
    const above = kept.find(({ offered }) => offered >= overloaded);
    return below === undefined || above === undefined ? [] : [{ series, below, above }];
  });
  if (ends.length === 0) return null;
  const unit = timeUnitFor(ends.flatMap(({ below, above }) => [below.responseMs, above.responseMs]));
  const at = ({ offered, responseMs }: (typeof ends)[number]["below"]): string =>
    `${duration(responseMs, unit)} ${unit.symbol} at ${threeDigits(100 * offered)} %`;
  const each = ends.map(({ series, below, above }) => `${seriesTitle(input, series)}: ${at(below)}, ${at(above)}`);
  return {
    here: `of what one processor can do, ${each.join("; ")}`,
    verdict: verdictOf(
      input,
      ends.every(
        ({ series, below, above }) =>
          below.responseMs < kneeAt * series.demand.responseMs && above.responseMs > kneeAt * series.demand.responseMs,
      ),
    ),
  };
};

/** Over all stacks together: each cell is one prediction. */
const modelAgrees: Judge = (input, study, { atMost = 0 }) => {
  const errors = predictionErrors(
    concurrencySeries(input.analysis).filter((series) => series.study === study),
    [],
  );
  if (errors.length === 0) return null;
  const each = errors.map(
    ({ title, median, largest }) =>
      `${threeDigits(100 * median)} % over ${title}, the largest ${threeDigits(100 * largest)} %`,
  );
  return {
    here: `the median is ${listed(each)}`,
    verdict: verdictOf(
      input,
      errors.every(({ median }) => median <= atMost),
    ),
  };
};

const judges = {
  "response-explodes-at-capacity": responseExplodes,
  "model-agrees": modelAgrees,
} as const satisfies Readonly<Record<SeriesTest["kind"], Judge>>;

function isOfSeries(test: ArmTest | SeriesTest): test is SeriesTest {
  return Object.hasOwn(judges, test.kind);
}

/** Names that tell a reader nothing beside the others. */
const unlabelled = new Set(["task", "thinkTime", "arrivals", "congestionControl", "slowStartAfterIdle"]);

function labelOf(properties: TestedCell["common"]): string {
  return Object.entries(properties)
    .filter(([name, value]) => !unlabelled.has(name) && value !== "")
    .map(([name, value]) => {
      if (name === "style") return String(value);
      return name === "variant" ? variantLabel(String(value)) : factorValue(name, value);
    })
    .join(", ");
}

/** The arm where two differ, then what both share: `gRPC to REST: 6 attributes`. */
function cellLabel({ pair, common }: TestedCell): string {
  const compared = pair === null ? "" : pair.map((end) => labelOf(end) || "its default").join(" to ");
  return [compared, labelOf(common)].filter((part) => part !== "").join(": ");
}

function valueText(cell: TestedCell): string {
  const { value, low, high } = cell;
  const interval = low === null || high === null ? "" : ` (${ratioText(low)} to ${ratioText(high)})`;
  return `${ratioText(value)}${interval} for ${cellLabel(cell)}`;
}

/** With more cells than this, only the least and the largest value are in words. */
const mostListed = 3;

function measureText(test: ArmTest): string {
  if (test.kind === "growth") return `powers of ${test.factor}`;
  return test.kind === "round-trips" ? "round trips" : "ratios";
}

function shownOf(test: ArmTest, judged: JudgedArms | null): Shown | null {
  if (judged === null) return null;
  const { verdict, cells, within, beyond, open } = judged;
  const [least] = cells;
  if (cells.length <= mostListed) return { verdict, here: `${measureText(test)} ${cells.map(valueText).join("; ")}` };
  const counts = `${within} of ${counted(cells.length, "cell")} within, ${beyond} beyond, ${open} open`;
  const most = cells.at(-1) ?? least;
  return { verdict, here: `${counts}; ${measureText(test)} from ${valueText(least)}, up to ${valueText(most)}` };
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
    return { verdict: "cannot tell", found, text: `${found}. It needs ${test.needs}: ${test.command}.` };
  }
  const { study } = figures;
  const shown = isOfSeries(test)
    ? judges[test.kind](input, study, test)
    : shownOf(test, judgedArms(input.analysis, study, test));
  const theirs = isOfSeries(test) ? null : shownOf(test, judgedArms(ownFigures(figures), study, test));
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
