// How many round trips each variant waits for, next to what TCP and TLS require.
import type { Finding } from "./finding.ts";
import { predictedText, type RoundTrips } from "../distance/round-trips.ts";
import type { Arm } from "../run/run-facts.ts";
import { counted, durationText, listed } from "../basics/words.ts";
import { distanceFactor } from "../distance/measured-distance.ts";
import type { Evidence } from "./evidence.ts";
import { byStrength, withoutRepeatedIntervalText, workText } from "./phrases.ts";

/** `1.01 over gRPC (95 % interval 1.00 to 1.02)`. */
function countText({ title, perCall, low, high, rounds }: RoundTrips): string {
  const interval =
    low === null || high === null
      ? `no interval from ${counted(rounds, "round")}`
      : `95 % interval ${low.toFixed(2)} to ${high.toFixed(2)}`;
  return `${perCall.toFixed(2)} over ${title} (${interval})`;
}

function variantText({ variant, callsPerTask }: Arm): string {
  const calls = counted(callsPerTask, "call");
  if (variant === "chatty") return ` as ${calls} one after the other`;
  if (variant === "chatty-parallel") return ` as ${calls} at once`;
  return variant === "together" ? " as several fields of one request" : "";
}

function withoutDistance(arm: Arm): Arm {
  const factors = Object.entries(arm.factors).filter(([name]) => name !== distanceFactor);
  return { ...arm, factors: Object.fromEntries(factors) };
}

function mustText(rows: readonly RoundTrips[]): string {
  const predicted = [...new Set(rows.map((row) => predictedText(row)))];
  const opens = rows.every(({ opensConnections }) => opensConnections);
  return `TCP${rows.some(({ tls }) => tls) ? " and TLS take" : " takes"} ${listed(predicted)}${opens ? " on a new connection" : ""}`;
}

function sentenceFor(rows: readonly RoundTrips[], first: Arm): string {
  const perCall = (rows[0]?.callsInSequence ?? 1) > 1 ? " for each call" : "";
  const counts = listed(withoutRepeatedIntervalText(rows.map(countText)));
  const strange = rows.filter(({ asPredicted }) => !asPredicted);
  const explained =
    strange.length === 0
      ? ""
      : `, which ${listed(strange.map(({ title }) => title))} ${strange.length === 1 ? "does" : "do"} not keep to: see the warnings`;
  const work =
    rows[0]?.isFirstCall === true ? "the first call" : `${workText(withoutDistance(first))}${variantText(first)}`;
  return `Round trips that ${work} waits for${perCall}: ${counts}; ${mustText(rows)}${explained}.`;
}

function codeOf(isFirstCall: boolean, { variant }: Arm): string {
  if (isFirstCall) return "round-trips-first-call";
  return ["single", "facade"].includes(variant) ? "round-trips" : `round-trips-${variant}`;
}

/** For each variant, and for the first call, one sentence for the styles of each strength. */
export function roundTripsWaited(study: string, task: string, evidence: Evidence): readonly Finding[] {
  const arms = new Map(evidence.measured.arms.map((arm) => [arm.id, arm]));
  const rows = evidence.measured.roundTrips.filter(
    (row) => row.study === study && row.task === task && arms.get(row.armIds[0] ?? "")?.role === "style",
  );
  const groups = Map.groupBy(rows, ({ variant, factors, opensConnections, isFirstCall }) =>
    JSON.stringify([isFirstCall, variant, factors, opensConnections]),
  );
  return [...groups.values()].flatMap((group) =>
    byStrength(group, ({ low }) => (low === null ? "inconclusive" : "clear")).flatMap(([strength, alike]) => {
      const [first] = alike.flatMap(({ armIds }) => arms.get(armIds[0] ?? "") ?? []);
      if (first === undefined) return [];
      return {
        code: codeOf(alike[0]?.isFirstCall === true, first),
        study,
        sentence: sentenceFor(alike, first),
        strength,
        armIds: alike.flatMap(({ armIds }) => armIds),
      };
    }),
  );
}

/** Each style's latency at no distance: the time of its processors and libraries. */
export function atNoDistance(study: string, task: string, evidence: Evidence): readonly Finding[] {
  const arms = new Map(evidence.measured.arms.map((arm) => [arm.id, arm]));
  const rows = evidence.measured.roundTrips.filter(
    ({ study: of, task: what, variant, armIds, isFirstCall }) =>
      of === study &&
      what === task &&
      ["single", "facade"].includes(variant) &&
      !isFirstCall &&
      arms.get(armIds[0] ?? "")?.role === "style",
  );
  const [first] = rows.flatMap(({ armIds }) => arms.get(armIds[0] ?? "") ?? []);
  if (first === undefined) return [];
  const each = rows.map(({ title, interceptMs }) => `${durationText(interceptMs)} over ${title}`);
  return [
    {
      code: "no-distance",
      study,
      sentence: `What is left of ${workText(withoutDistance(first))} at no distance, the time of processors: ${listed(each)}.`,
      strength: "measured",
      armIds: rows.flatMap(({ armIds }) => armIds),
    },
  ];
}
