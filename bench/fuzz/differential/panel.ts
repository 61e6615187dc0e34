// Asks stacks the same thing and says where the first answer departs from what it should be.
import type { Contract } from "@roundtrip/contract";
import { referenceArm, stackArms, type Outcome } from "./arms.ts";
import { knownLimits, type KnownLimit } from "./known-limits.ts";
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

export interface Verdict {
  /** The limits that the sample is beyond, and whether it came out differently there. */
  readonly beyond: readonly { readonly limit: KnownLimit; readonly differs: boolean }[];
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
      const limits = knownLimits.filter(({ appliesTo }) => appliesTo(sample, contract));
      const expected = withoutMask(await reference.ask(sample), sample);
      const beyond: { limit: KnownLimit; differs: boolean }[] = [];
      const differences: string[] = [];
      for (const arm of arms) {
        const outcome = withoutMask(await arm.ask(sample), sample);
        if (!arm.carries(sample.operation)) {
          const error = outcome.get("error");
          if (error !== "UNIMPLEMENTED")
            differences.push(`${arm.stackName}: got ${error ?? "an answer"} to what it cannot carry`);
          continue;
        }
        const limit = limits.find(({ style }) => style === arm.style);
        const difference = firstDifference(outcome, expected);
        if (limit !== undefined) beyond.push({ limit, differs: difference !== undefined });
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
