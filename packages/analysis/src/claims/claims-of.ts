// The claims of a run, in the order in which a sceptical reader asks.
import { coarseVariant, isCoarse, largestCell } from "../comparison/leading-cell.ts";
import { ofBreakEvens, ofCrossovers, ofDistance, ofRoundTrips } from "./distance-claims.ts";
import { evidenceOf, type Claim, type LoadClaim, type Evidence, type Judged } from "./claim.ts";
import { ofLibraries, ofLoopback, ofMemory, ofSettings, ofStacks, ofVariants } from "./ratio-claims.ts";

function ofLoads(study: string, { measured }: Evidence): readonly LoadClaim[] {
  return measured.carriedLoads
    .filter((row) => row.study === study)
    .toSorted((one, other) => other.rateHz - one.rateHz)
    .map(({ task, kind, limitMs, rateHz, low, high, isGeneratorLimit, armIds }) => ({
      kind: "load",
      study,
      task,
      strength: "measured",
      armIds,
      bound: kind,
      limitMs,
      rateHz,
      low,
      high,
      isGeneratorLimit,
    }));
}

function ofTask(study: string, task: string, evidence: Evidence): readonly Claim[] {
  const { arms } = evidence.measured;
  const coarse = largestCell(arms, study, task, coarseVariant(arms, study, task));
  const ofThis = arms.filter((arm) => arm.study === study && arm.task === task);
  const variants = [...new Set(ofThis.map(({ variant }) => variant))].filter((variant) => !isCoarse(variant));
  return [
    ...ofRoundTrips(study, task, evidence),
    ...ofCrossovers(study, task, evidence),
    ...ofLibraries(study, task, evidence),
    ...ofStacks(coarse, evidence),
    ...ofDistance(coarse, evidence),
    ...ofSettings(coarse, evidence),
    ...ofLoopback(coarse, evidence),
    ...variants.flatMap((variant) => ofVariants(largestCell(arms, study, task, variant), evidence)),
    ...ofBreakEvens(study, task, evidence),
  ];
}

export function claimsOf(measured: Judged): readonly Claim[] {
  // Latency under load describes the load more than the stack, so only arms without a load are compared.
  const arms = measured.arms.filter(({ load }) => load === undefined);
  const evidence = evidenceOf({ ...measured, arms });
  return [...new Set(measured.arms.map(({ study }) => study))].flatMap((study) => {
    const tasks = [...new Set(arms.filter((arm) => arm.study === study).map((arm) => arm.task))];
    return [
      ...ofLoads(study, evidence),
      ...tasks.flatMap((task) => ofTask(study, task, evidence)),
      ...ofMemory(study, evidence),
    ];
  });
}
