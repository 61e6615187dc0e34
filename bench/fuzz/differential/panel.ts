// Calls stacks with the same sample and reports the first difference from the reference.
import type { Contract } from "@roundtrip/contract";
import type { KnownLimit } from "../fuzzed-style.ts";
import { referenceArm, stackArms, type Arm, type Outcome } from "./arms.ts";
import type { Sample } from "./sample.ts";

/** The first line that differs. An unexpected error precedes all lines that are missing because of it. */
function firstDifference(actual: Outcome, expected: Outcome): string | undefined {
  const error = actual.get("error");
  if (error !== undefined && !expected.has("error")) return `got ${error} ${actual.get("error.message")}`;
  for (const path of new Set([...expected.keys(), ...actual.keys()])) {
    const [got, wanted] = [actual.get(path), expected.get(path)];
    if (got !== wanted) return `${path}: got ${got ?? "nothing"}, expected ${wanted ?? "nothing"}`;
  }
  return undefined;
}

/** GraphQL has a selection instead of a read mask, so handlers receive a different mask on each style. */
function withoutMask(outcome: Outcome, { operation: { readMask } }: Sample): Outcome {
  if (readMask === undefined) return outcome;
  const mask = `request[0].${readMask.name}`;
  return new Map([...outcome].filter(([path]) => path !== mask && !path.startsWith(`${mask}.`)));
}

/** The lines to compare for a style that may not carry metadata. */
function comparable(outcome: Outcome, { carriesMetadata }: Pick<Arm, "carriesMetadata">): Outcome {
  if (carriesMetadata) return outcome;
  return new Map([...outcome].filter(([path]) => !/^(?:answer )?metadata\b/.test(path)));
}

/** A sample beyond a limit of the style of a stack. */
export interface Beyond {
  readonly style: string;
  readonly limit: KnownLimit;
  readonly differs: boolean;
}

export interface Verdict {
  readonly beyond: readonly Beyond[];
  /** One line for each stack that differs from the reference. */
  readonly differences: readonly string[];
}

/** One contract, served on every stack. */
export interface Panel {
  verdictOn(sample: Sample): Promise<Verdict>;
  close(): Promise<void>;
}

/** Serves the contract on these stacks. Rejects if a stack refuses the contract. */
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
        const limits = arm.limits.filter(({ appliesTo }) => appliesTo(sample, contract));
        // A sample may be beyond two limits: the one that compares less decides.
        const limit = limits.find(({ compared }) => compared === "nothing") ?? limits[0];
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
