// What follows from a study that reads linked data in several ways: against one coarse call, what one query, batches and calls for each thing take,
// a field costs that nobody needs, and what batching in the server saves.
import {
  type BreakEven,
  durationRange,
  durationText,
  isTooWide,
  listed,
  type RatioClaim,
  ratioText,
} from "@roundtrip/analysis";
import type { Arm } from "@roundtrip/runs";
import type { ReportInput } from "../view/report-input.ts";
import { timesText, wayText, workText } from "./ratio-text.ts";

type Run = Pick<ReportInput, "analysis">;

const query = "query";

function ratioTextOf(claim: RatioClaim): string {
  if (claim.strength === "open") return "cannot tell";
  return claim.strength === "equal" ? "the same within 2 %" : timesText(claim);
}

function variantClaims({ analysis }: Run, study: string): readonly RatioClaim[] {
  return analysis.claims.filter((claim): claim is RatioClaim => claim.kind === "variant" && claim.study === study);
}

/** How a query compares with the façades, from the smallest to the largest task, such as 1 to 20 invoices; then over distance. */
function queryAdvice(run: Run, study: string, arm: (id: string | undefined) => Arm | undefined): readonly string[] {
  const [task] = variantClaims(run, study).map((claim) => claim.task);
  const claims = variantClaims(run, study).filter(
    (claim) => claim.task === task && arm(claim.armIds[0])?.variant === query,
  );
  const [first] = claims;
  const of = arm(first?.armIds[0]);
  if (of === undefined) return [];
  const each = [...Map.groupBy(claims, ratioTextOf)].map(
    ([text, group]) => `${text} against ${listed(group.map(({ armIds }) => arm(armIds[1])?.title ?? ""))}`,
  );
  const far = run.analysis.crossovers.filter((row) => row.study === study && row.variant === query);
  const wins = far.filter(({ isClear, always, aboveMs }) => isClear && (always === "other" || aboveMs !== null));
  const isNever = far.every(({ isClear, always }) => isClear && always === "facade");
  const distance =
    wins.length > 0
      ? ` At some distance it beats the façade over ${listed(wins.map(({ facade }) => facade.title))}.`
      : far.length > 0 && isNever
        ? " It beats no façade at any distance that was measured: both wait for one round trip."
        : "";
  return [`One query over edges instead of a façade, for ${workText(of)}: ${listed(each)}.${distance}`];
}

/** What other ways than the façade take at the most work, a range over styles. */
function waysAdvice(run: Run, study: string, arm: (id: string | undefined) => Arm | undefined): readonly string[] {
  const [task] = variantClaims(run, study).map((claim) => claim.task);
  const claims = variantClaims(run, study).filter(
    (claim) => claim.task === task && arm(claim.armIds[0])?.variant !== query,
  );
  const first = arm(claims[0]?.armIds[0]);
  if (first === undefined) return [];
  const ways = [...Map.groupBy(claims, (claim) => arm(claim.armIds[0])?.variant ?? "")].map(([variant, group]) => {
    const sure = group.filter(({ strength }) => strength !== "open");
    if (sure.length === 0) return `cannot tell of ${wayText(variant)}`;
    if (sure.some(isTooWide))
      return `${wayText(variant)} at least ${ratioText(Math.min(...sure.map(({ low }) => low ?? 0)))} ×`;
    const ends = [Math.min, Math.max].map((end) => ratioText(end(...sure.map(({ ratio }) => ratio))));
    return `${wayText(variant)} ${[...new Set(ends)].join(" to ")} ×`;
  });
  return [`Call the façade for ${workText(first)}; in its times: ${ways.join("; ")}.`];
}

function perUnit({ facadeMsPerUnit, facadeLow, facadeHigh }: BreakEven): string {
  if (facadeLow === null || facadeHigh === null || facadeLow <= 0) return "an unclear time";
  return `${durationText(facadeMsPerUnit)} (${durationRange(facadeLow, facadeHigh)})`;
}

/** The cost of a field that is read and not needed, by masks against a whole answer. */
function fieldsAdvice({ analysis }: Run, study: string): readonly string[] {
  const rows = analysis.breakEvens.filter((row) => row.study === study && row.against === "whole");
  if (rows.length === 0) return [];
  const each = [...Map.groupBy(rows, perUnit)].map(
    ([text, group]) => `${text} over ${listed(group.map(({ title }) => title))}`,
  );
  return [`A field that is read and not needed costs ${listed(each)}.`];
}

/** Empty for a study without a query over edges. */
export function adviceOfWays(run: Run): readonly string[] {
  const arms = new Map(run.analysis.arms.map((arm) => [arm.id, arm]));
  const arm = (id: string | undefined): Arm | undefined => arms.get(id ?? "");
  const studies = new Set(run.analysis.arms.filter(({ variant }) => variant === query).map(({ study }) => study));
  return [...studies].flatMap((study) => [
    ...waysAdvice(run, study, arm),
    ...queryAdvice(run, study, arm),
    ...fieldsAdvice(run, study),
  ]);
}
