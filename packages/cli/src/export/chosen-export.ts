// What an export contains: the studies, named or made from the user's contract, on which stacks and targets, and what answers where nothing runs yet.
import type { ServedBy } from "@roundtrip/k6";
import type { Study, Target } from "@roundtrip/runner";
import { loadStack, type Stack } from "@roundtrip/stacks";
import { CliError } from "../basics/cli-error.ts";
import { chosenStudies, requireOperations, withWishes } from "../bench/chosen-studies.ts";
import { isOwnStudy, ownStudy, type OwnFlags } from "../bench/own-study.ts";
import { type TypedArrivals, withArrivals } from "../bench/arrivals.ts";
import type { ContractFlags, LoadedContract } from "../contract/contract-source.ts";
import { chosenStacks } from "../stacks/chosen-stacks.ts";
import type { StackFlags } from "../stacks/selected-stacks.ts";

export interface StudyFlags extends ContractFlags, OwnFlags, StackFlags {
  readonly calls?: number;
  readonly arrivals?: TypedArrivals;
}

interface StudiesToExport {
  readonly studies: readonly Study[];
  /** Notes to print; may be empty. */
  readonly notes: string;
  readonly servedBy: ServedBy;
}

/** The selected stacks and those of the targets; with targets and no selection, only theirs. The floor only if it is selected: k6 cannot call it. */
export async function exportedStacks(flags: StackFlags, targets: readonly Target[]): Promise<readonly Stack[]> {
  const isSelected = flags.stack !== undefined;
  const chosen = !isSelected && targets.length > 0 ? [] : await chosenStacks(flags);
  const here = chosen.filter(({ role }) => isSelected || role === "style");
  const missing = targets.filter(({ stack }) => !here.some(({ name }) => name === stack));
  return [...here, ...(await Promise.all(missing.map(({ stack }) => loadStack(stack))))];
}

/** The named studies before the contract is loaded; undefined for a study of the contract. Rejects with a usage error for unknown names, and for none. */
export async function namedStudies(names: readonly string[], flags: StudyFlags): Promise<readonly Study[] | undefined> {
  if (isOwnStudy(names, flags)) return undefined;
  if (names.length === 0) {
    throw new CliError(
      "usage",
      "name the studies to export, such as hello, or give --contract PATH for your own contract",
    );
  }
  return chosenStudies(names, { calls: flags.calls });
}

/** The studies with the overrides of the flags. Rejects like {@link ownStudy}, and for operations that the contract does not have. */
export async function studiesToExport(
  named: readonly Study[] | undefined,
  flags: StudyFlags,
  { contract }: LoadedContract,
  { stacks, targets }: { readonly stacks: readonly Stack[]; readonly targets: readonly Target[] },
): Promise<StudiesToExport> {
  const isForeign = flags.contract !== undefined;
  const own =
    named === undefined ? await ownStudy(contract, flags, { stacks, targets, commands: new Map() }) : undefined;
  const chosen = own === undefined ? (named ?? []) : withWishes([own.study], { calls: flags.calls });
  requireOperations(chosen, contract, flags.contract?.[0]);
  const studies = flags.arrivals === undefined ? chosen : withArrivals(chosen, flags.arrivals, flags.calls);
  const command = own !== undefined && isForeign ? "fake" : "serve";
  return { studies, notes: own?.notes ?? "", servedBy: { command, isForeign } };
}
