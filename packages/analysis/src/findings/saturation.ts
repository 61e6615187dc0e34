// What a server carries when callers never pause, and whether two independent drivers agree on it.
import { throughputPairs } from "../warnings/driver-agreement.ts";
import type { Finding } from "./finding.ts";
import { listed, threeDigits } from "../basics/words.ts";
import type { Evidence } from "./evidence.ts";
import { countWithInterval } from "./phrases.ts";

/** One sentence for the throughput of the styles, one for the two drivers; none without saturated arms. */
export function saturation(study: string, evidence: Evidence): readonly Finding[] {
  const { arms, summaries } = evidence.measured;
  const saturated = arms.filter(
    (arm) => arm.study === study && Number(arm.factors["callers"] ?? 1) > 1 && arm.variant !== "autocannon",
  );
  const carried = saturated.flatMap((arm) => {
    const summary = evidence.summary(arm.id, "callsPerSecond");
    return arm.role === "style" && summary !== undefined ? [{ arm, summary }] : [];
  });
  const [first] = carried;
  if (first === undefined) return [];
  const each = carried
    .toSorted((one, other) => other.summary.mean - one.summary.mean)
    .map(({ arm, summary }) => `${arm.title} carried ${countWithInterval(summary, " calls a second")}`);
  const callers = Number(first.arm.factors["callers"]);
  const findings: Finding[] = [
    {
      code: "throughput",
      study,
      sentence: `With ${callers} callers that never pause, ${listed(each)}.`,
      strength: "measured",
      armIds: carried.map(({ arm }) => arm.id),
    },
  ];
  const pairs = throughputPairs(arms, summaries).filter(({ own }) => own.study === study);
  if (pairs.length > 0) {
    const ratios = pairs.map(({ own, ratio }) => `${threeDigits(ratio)} × over ${own.title}`);
    findings.push({
      code: "drivers",
      study,
      sentence: `autocannon, sending the same requests, measured ${listed(ratios)} of the throughput that this project's clients measured.`,
      strength: "measured",
      armIds: pairs.flatMap(({ own, autocannon }) => [own.id, autocannon.id]),
    });
  }
  return findings;
}
