// Which commands are tried on which hostile contracts, and their run, a few at once.
import { availableParallelism } from "node:os";
import { randomFrom } from "../mutate.ts";
import { hostileContracts, type HostileContract } from "./hostile-contract.ts";
import { commandNames, tryContract, type Trial } from "./try-contract.ts";

export { commandNames };

interface Planned {
  readonly contract: HostileContract;
  readonly command: string;
}

export interface TrialOptions {
  readonly seed: number;
  /** Words in the names of contracts. */
  readonly only?: string;
  readonly commands?: readonly string[];
  /** How many; all by default. */
  readonly trials?: number;
}

/** The trials, in an order that follows from the seed: a part of them has some of every kind. */
export function hostileTrials({ seed, only = "", commands = commandNames, trials }: TrialOptions): readonly Planned[] {
  const random = randomFrom(seed);
  const all = hostileContracts(seed)
    .filter(({ name }) => name.includes(only))
    .flatMap((contract) => commands.map((command) => ({ contract, command })));
  for (let at = all.length - 1; at > 0; at--) {
    const other = random.below(at + 1);
    [all[at], all[other]] = [all[other] as Planned, all[at] as Planned];
  }
  return all.slice(0, trials);
}

/** Runs the trials, as many at once as there are cores. @param onTrial is called after each */
export async function runTrials(
  planned: readonly Planned[],
  onTrial: (trial: Trial, done: number) => void,
): Promise<readonly Trial[]> {
  const left = [...planned];
  const done: Trial[] = [];
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other: each has limits of time and memory
      for (const trial of await tryContract(next.contract, [next.command])) {
        done.push(trial);
        onTrial(trial, done.length);
      }
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return done;
}
