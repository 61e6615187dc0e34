// Asks stacks the same thing and says where the first answer departs from what it should be.
import type { Contract } from "@roundtrip/contract";
import type { KnownLimit } from "@roundtrip/styles";
import { referenceArm, stackArms, type Arm, type Outcome } from "./arms.ts";
import type { Sample } from "./sample.ts";

/** The first line that differs; an error where there should be none comes before all that is missing for it. */
function firstDifference(actual: Outcome, expected: Outcome): string | undefined {
  const error = actual.get("error");
  if (error !== undefined && !expected.has("error")) return `got ${error} ${actual.get("error.message")}`;
  for (const place of new Set([...expected.keys(), ...actual.keys()])) {
    const [got, wanted] = [actual.get(place), expected.get(place)];
    if (got !== wanted) return `${place}: got ${got ?? "nothing"}, expected ${wanted ?? "nothing"}`;
  }
  return undefined;
}

/** GraphQL has no read mask but a selection, so handlers receive it in a different form on each style. */
function withoutMask(outcome: Outcome, { operation: { readMask } }: Sample): Outcome {
  if (readMask === undefined) return outcome;
  const mask = `request[0].${readMask.name}`;
  return new Map([...outcome].filter(([place]) => place !== mask && !place.startsWith(`${mask}.`)));
}

/** For a style that carries no metadata, what is left to compare. */
function comparable(outcome: Outcome, { carriesMetadata }: Pick<Arm, "carriesMetadata">): Outcome {
  if (carriesMetadata) return outcome;
  return new Map([...outcome].filter(([place]) => !/^(?:answer )?metadata\b/.test(place)));
}

/** A sample beyond a limit of a stack's style. */
export interface Beyond {
  readonly style: string;
  readonly limit: KnownLimit;
  /** Whether it was answered differently there. */
  readonly differs: boolean;
}

export interface Verdict {
  readonly beyond: readonly Beyond[];
  /** One line for each stack that departs from the reference. */
  readonly differences: readonly string[];
}

/** One contract, served on every stack. */
export interface Panel {
  verdictOn(sample: Sample): Promise<Verdict>;
  close(): Promise<void>;
}

/** Serves the contract on these stacks. Rejects with what a stack has against the contract. */
export async function panelOf(contract: Contract, stacks: readonly string[]): Promise<Panel> {
  const reference = await referenceArm(contract);
  const arms = await stackArms(contract, stacks);
  return {
    async verdictOn(sample) {
      const answer = withoutMask(await reference.ask(sample), sample);
      const beyond: Beyond[] = [];
      const differences: string[] = [];
      for (const arm of arms) {
        const expected = comparable(answer, arm);
        const outcome = comparable(withoutMask(await arm.ask(sample), sample), arm);
        if (!arm.carries(sample.operation)) {
          const error = outcome.get("error");
          if (error !== "UNIMPLEMENTED")
            differences.push(`${arm.stackName}: got ${error ?? "an answer"} to what it cannot carry`);
          continue;
        }
        const limit = arm.limits.find(({ appliesTo }) => appliesTo(sample, contract));
        const difference = firstDifference(outcome, expected);
        if (limit !== undefined) beyond.push({ style: arm.style, limit, differs: difference !== undefined });
        const counts =
          limit === undefined || (limit.compared === "code" && outcome.get("error") !== expected.get("error"));
        if (counts && difference !== undefined) differences.push(`${arm.stackName}: ${difference}`);
      }
      return { beyond, differences };
    },
    async close() {
      await Promise.all(arms.map((arm) => arm.close()));
    },
  };
}
