// The verdict: the findings of a run, in the order in which a sceptical reader asks.
import { attributeCost, breakEvenCount } from "./break-even-count.ts";
import { callersPredicted, leftModel } from "./model-fit.ts";
import { cpuShare, wireBytes } from "./costs.ts";
import { clientCost } from "./client-cost.ts";
import { coarseVariant, largestCell, leadingCell } from "../comparison/leading-cell.ts";
import { crossingDistance } from "./crossing-distance.ts";
import { evidenceOf, type Evidence, type Judged } from "./evidence.ts";
import { fastest, floorMultiple } from "./fastest.ts";
import { firstCalls } from "./first-calls.ts";
import { payloadGrowth } from "./payload.ts";
import { carriedLoad } from "./carried-load.ts";
import { librariesMeasured, libraryFindings } from "./library-effects.ts";
import { loadLevels } from "./load-levels.ts";
import { loadResponse } from "./load-response.ts";
import { responseDoubling } from "./response-doubling.ts";
import { atNoDistance, roundTripsWaited } from "./round-trips.ts";
import { againstFacade } from "./against-facade.ts";
import { settingLevels } from "./setting-levels.ts";
import { saturation } from "./saturation.ts";
import { styleReferences } from "../comparison/stack-pairs.ts";
import type { Finding } from "./finding.ts";

/** The findings of one task. `first`: the study's leading task, which gets more detail. */
function ofTask(study: string, task: string, first: boolean, evidence: Evidence): readonly Finding[] {
  const { arms } = evidence.measured;
  const coarse = largestCell(arms, study, task, coarseVariant(arms, study, task));
  const variants = first ? ["chatty", "chatty-parallel", "together"] : ["chatty"];
  return [
    ...roundTripsWaited(study, task, evidence),
    ...crossingDistance(study, task, evidence),
    ...libraryFindings(study, task, evidence),
    ...fastest(coarse, evidence),
    ...settingLevels(coarse, evidence),
    ...variants.flatMap((variant) => againstFacade(largestCell(arms, study, task, variant), evidence)),
    ...(first ? [...breakEvenCount(study, task, evidence), ...attributeCost(study, task, evidence)] : []),
    ...payloadGrowth(coarse, evidence),
    ...atNoDistance(study, task, evidence),
  ];
}

/** A sentence that names more stacks is too long: it names one for each style, and tables have the others. */
const mostNamed = 6;

function explanations(evidence: Evidence): readonly Finding[] {
  const all = leadingCell(evidence.measured.arms);
  const cell = all.arms.length > mostNamed ? { ...all, arms: styleReferences(all.arms) } : all;
  const explained = [clientCost, floorMultiple, cpuShare, wireBytes].flatMap((explain) => explain(cell, evidence));
  return [...explained, ...librariesMeasured(all)];
}

export function verdict(measured: Judged): readonly Finding[] {
  // Latency under load describes the load more than the stack, so only arms without a load are compared.
  const arms = measured.arms.filter(({ load }) => load === undefined);
  const evidence = evidenceOf({ ...measured, arms });
  const everything = evidenceOf(measured);
  const flagged = new Set(measured.anomalies.flatMap(({ armIds }) => armIds));
  const studies = new Set(measured.arms.map(({ study }) => study));
  let explained = false;
  return [...studies].flatMap((study) => {
    const tasks = [...new Set(arms.filter((arm) => arm.study === study).map((arm) => arm.task))];
    const findings = tasks.flatMap((task, index) => ofTask(study, task, index === 0, evidence));
    findings.push(
      ...carriedLoad(study, everything),
      ...responseDoubling(study, everything),
      ...loadLevels(study, everything),
      ...loadResponse(study, evidence),
      ...callersPredicted(study, everything, flagged),
      ...leftModel(study, everything),
    );
    findings.push(...saturation(study, evidence));
    if (!explained && tasks.length > 0) findings.push(...explanations(evidence));
    explained ||= tasks.length > 0;
    return [...findings, ...firstCalls(study, evidence)];
  });
}
