// Checks that rounds belong to one run: they have one contract, and arms of the same name do the same work.
import type { JsonValue } from "@bufbuild/protobuf";
import { K6Error } from "../basics/k6-error.ts";
import { canonicalJson } from "../plan/canonical-json.ts";
import type { K6Arm, K6Plan } from "../plan/k6-plan.ts";
import { patched } from "../plan/merge-patch.ts";
import { plainText } from "../results/plain-text.ts";
import type { CompletedRound } from "../results/read-results.ts";

interface Work {
  readonly arm: K6Arm;
  readonly round: CompletedRound;
}

const fileOf = ({ instances }: CompletedRound): string => instances[0]?.file ?? "";

/** The requests of its tasks, in a form that does not depend on how the plan stores them. */
function askedBy({ arm: { steps, sets }, round: { plan } }: Work): string {
  const requestAt = (place: number): unknown => {
    const request = plan.requests[place];
    if (request === undefined || !("like" in request)) return request;
    return patched(plan.requests[request.like] as JsonValue | undefined, request.but);
  };
  return canonicalJson({ sets, steps: steps.map((step) => ({ ...step, requests: step.requests.map(requestAt) })) });
}

/** How two arms of one name differ, in words; undefined if they do not. */
function difference(one: Work, other: Work): string | undefined {
  const [facts, others] = [one.arm.facts, other.arm.facts].map((all) => new Map<string, unknown>(Object.entries(all)));
  for (const name of new Set([...(facts?.keys() ?? []), ...(others?.keys() ?? [])])) {
    const [here, there] = [facts, others].map((all) => canonicalJson(all?.get(name) ?? null));
    if (here !== there) return `${name} is ${plainText(here ?? "")} and ${plainText(there ?? "")}`;
  }
  return askedBy(one) === askedBy(other) ? undefined : "requests differ";
}

function refuse(one: CompletedRound, other: CompletedRound, why: string): never {
  const message = `${fileOf(one)} and ${fileOf(other)} are not of one run: ${why}; import them separately`;
  throw new K6Error("other-plan", message);
}

const hashShown = 12;
const contractOf = ({ contractHash }: K6Plan): string => plainText(contractHash.slice(0, hashShown));

/** Throws a K6Error `other-plan` with the first difference unless they do. */
export function requireOneRun(rounds: readonly CompletedRound[]): void {
  const known = new Map<string, Work>();
  const [first] = rounds;
  const seen = new Set<K6Plan["arms"]>();
  for (const round of rounds) {
    const { plan } = round;
    if (first !== undefined && plan.contractHash !== first.plan.contractHash) {
      refuse(first, round, `the contract is ${contractOf(first.plan)} and ${contractOf(plan)}`);
    }
    // Rounds of one export share their arms.
    if (seen.has(plan.arms)) continue;
    seen.add(plan.arms);
    for (const arm of plan.arms) {
      const work = { arm, round };
      const before = known.get(arm.facts.id) ?? work;
      const why = before === work ? undefined : difference(before, work);
      if (why !== undefined) refuse(before.round, round, `of ${arm.facts.id}, ${why}`);
      known.set(arm.facts.id, before);
    }
  }
}
