// What follows from a study that reads the same data in several ways: against one coarse call or stream, what one query, batches and single calls take.
import { isTooWide, listed, type RatioClaim, ratioText } from "@roundtrip/analysis";
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
  if (of === undefined || claims.some(({ low }) => low === null)) return [];
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

/** One way over all styles: a range, where the styles that are decided agree. */
interface Way {
  readonly variant: string;
  readonly sure: readonly RatioClaim[];
}

function wayTimes({ variant, sure }: Way): string {
  const isWide = sure.some(isTooWide);
  const least = Math.min(...sure.map(({ ratio, low }) => (isWide ? (low ?? 0) : ratio)));
  const most = Math.max(...sure.map(({ ratio, high }) => (isWide ? (high ?? Infinity) : ratio)));
  const name = wayText(variant);
  if (isWide && least > 1) return `${name} at least ${ratioText(least)} ×`;
  if (isWide && most < 1) return `${name} at most ${ratioText(most)} ×`;
  return `${name} ${[...new Set([least, most].map(ratioText))].join(" to ")} ×`;
}

/** What other ways than the coarse call take at the most work. The coarse call is advised only where no other way is surely faster. */
function waysAdvice(run: Run, study: string, arm: (id: string | undefined) => Arm | undefined): readonly string[] {
  const [task] = variantClaims(run, study).map((claim) => claim.task);
  const claims = variantClaims(run, study).filter((claim) => {
    const variant = arm(claim.armIds[0])?.variant;
    return claim.task === task && variant !== query && variant !== "whole";
  });
  const [first, coarse] = [0, 1].map((index) => arm(claims[0]?.armIds[index]));
  if (first === undefined || claims.some(({ low }) => low === null)) return [];
  const ways = [...Map.groupBy(claims, (claim) => arm(claim.armIds[0])?.variant ?? "")].map(
    ([variant, group]): Way => ({
      variant,
      sure: group.filter(({ strength }) => strength !== "open"),
    }),
  );
  const decided = ways.filter(({ sure }) => sure.length > 0);
  const open = ways.filter(({ sure }) => sure.length === 0).map(({ variant }) => wayText(variant));
  const work = workText(first);
  if (decided.length === 0) return [`Which way is best for ${work}: cannot tell.`];
  const isFaster = decided.some(({ sure }) => sure.some(({ ratio }) => ratio < 1));
  const head =
    coarse?.variant === "facade" && !isFaster
      ? `Call the façade for ${work}; in its times`
      : `For ${work}, in times of ${coarse?.variant === "facade" ? "the façade" : wayText(coarse?.variant ?? "")}`;
  const rest = open.length === 0 ? "" : `; cannot tell of ${listed(open)}`;
  return [`${head}: ${decided.map(wayTimes).join("; ")}${rest}.`];
}

/** Empty for a study without a query over edges or a stream. */
export function adviceOfWays(run: Run): readonly string[] {
  const arms = new Map(run.analysis.arms.map((arm) => [arm.id, arm]));
  const arm = (id: string | undefined): Arm | undefined => arms.get(id ?? "");
  const ways = run.analysis.arms.filter(({ variant }) => variant === query || variant === "stream");
  return [...new Set(ways.map(({ study }) => study))].flatMap((study) => [
    ...waysAdvice(run, study, arm),
    ...queryAdvice(run, study, arm),
  ]);
}
