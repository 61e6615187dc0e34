// What `compare` measures of a user's contract: the operations or tasks that base and head share, on the user's servers or on fakes.
import { listed } from "@roundtrip/analysis";
import type { Contract, Operation } from "@roundtrip/contract";
import type { ContractSource, ServiceSource, Study, Version } from "@roundtrip/runner";
import type { Stack } from "@roundtrip/stacks";
import {
  fakeSource,
  nothingLeft,
  realSource,
  studyOfOperations,
  studyOfTaskFile,
  taskText,
  type OwnFlags,
  type RehearsedStudy,
} from "../bench/own-study.ts";
import { type Rehearsal, rehearsalOf, unreachable } from "../bench/rehearsal.ts";
import { CliError } from "../basics/cli-error.ts";
import { loadContractFrom, type ContractFlags, type LoadedContract } from "../contract/contract-source.ts";
import { isOutsideRevisions } from "../contract/contract-address.ts";
import { withGatePace } from "./gate-pace.ts";
import type { Side, SourceFlags, Sources } from "./versions.ts";

export interface OwnComparisonFlags extends OwnFlags, ContractFlags, SourceFlags {}

export interface OwnComparison {
  readonly study: Study;
  /** The client of both versions is that of base's contract: an old caller. */
  readonly contract: ContractSource;
  readonly service: ServiceSource;
  readonly versions: readonly Version[];
  readonly freshCopies: (() => Promise<readonly Version[]>) | undefined;
  readonly notes: readonly string[];
  /** The names of all tasks, also of those that are left out. */
  readonly knownTasks: readonly string[];
}

/** A study, and the names of all tasks of the user, also of those that it leaves out. */
interface StudyOfVersions extends RehearsedStudy {
  readonly knownTasks: readonly string[];
}

/** Operations to name that one version alone has. */
const mostListed = 20;

async function contractOf(side: Side, of: Sources, flags: OwnComparisonFlags): Promise<LoadedContract> {
  try {
    return await loadContractFrom(
      flags.contract?.map((path) => (isOutsideRevisions(path) ? path : of.pathIn(side, path))),
    );
  } catch (thrown) {
    if (!(thrown instanceof CliError)) throw thrown;
    throw new CliError(thrown.code, `${side}: ${of.shown(side, thrown.message)}`, { cause: thrown });
  }
}

interface Contracts {
  readonly base: Contract;
  readonly head: Contract;
}

/** The operations of a contract, by what identifies them in both versions. */
function byIdentity({ operations }: Contract): ReadonlyMap<string, Operation> {
  return new Map(operations.map((operation) => [`${operation.id} ${operation.kind}`, operation]));
}

/** The operations of base that head has too, and notes on those of one alone. */
function shared({ base, head }: Contracts): {
  readonly operations: readonly Operation[];
  readonly notes: readonly string[];
} {
  const [ofBase, ofHead] = [byIdentity(base), byIdentity(head)];
  const notes = (
    [
      ["base", ofBase, ofHead],
      ["head", ofHead, ofBase],
    ] as const
  ).flatMap(([side, own, other]) => {
    const alone = [...own].filter(([key]) => !other.has(key)).map(([, { method }]) => method.name);
    if (alone.length === 0) return [];
    const more = alone.length > mostListed ? [`${alone.length - mostListed} more`] : [];
    return [`only in ${side}, and not compared: ${listed([...alone.slice(0, mostListed), ...more])}`];
  });
  return { operations: [...ofBase].filter(([key]) => ofHead.has(key)).map(([, operation]) => operation), notes };
}

/** Checks the tasks of a file before anything is built; later for a contract that only the build makes. Rejects with a usage error. */
export async function requireTasks(of: Sources, flags: OwnComparisonFlags): Promise<void> {
  if (flags.tasks === undefined) return;
  const loaded = await contractOf("head", of, flags).catch((thrown: unknown) => {
    if (thrown instanceof CliError) return undefined;
    throw thrown;
  });
  if (loaded === undefined) return;
  await using head = loaded;
  const { parseTaskFile } = await import("@roundtrip/bench/own-contract");
  parseTaskFile(taskText(flags.tasks), flags.tasks, head.contract);
}

/** The study, rehearsed on base. Operations and tasks are named in the terms of head, the newest contract. */
async function studyOn(
  { base, head }: Contracts,
  flags: OwnComparisonFlags,
  available: readonly Operation[],
  rehearsal: Rehearsal,
): Promise<StudyOfVersions> {
  const known = new Map(available.map((operation) => [operation.id, operation]));
  if (flags.tasks !== undefined) {
    const { parseTaskFile, tasksIn } = await import("@roundtrip/bench/own-contract");
    const parsed = parseTaskFile(taskText(flags.tasks), flags.tasks, head);
    const { file, missing } = tasksIn(parsed, base, new Set(known.keys()));
    const notes = missing
      .map(({ task, what, isWholeTask }) =>
        isWholeTask
          ? `Left out: ${task}: it ${what}, which is only in head\n`
          : `Left out of ${task}: it ${what}, which is only in head\n`,
      )
      .join("");
    if (file.tasks.length === 0) throw nothingLeft(notes);
    const made = await studyOfTaskFile(file, rehearsal);
    return { ...made, notes: notes + made.notes, knownTasks: parsed.tasks.map(({ name }) => name) };
  }
  const [{ operationNamed }, { taskName }] = await Promise.all([
    import("@roundtrip/fakes"),
    import("@roundtrip/bench/own-contract"),
  ]);
  const names = flags.operations;
  const newest = names?.map((name) => {
    // What base alone has is listed, and no reason to refuse the name.
    const inBase = base.operations.find(({ id, method }) => id === name || method.name === name);
    return known.get(inBase?.id ?? "") ?? inBase ?? operationNamed(head, name);
  });
  const wanted = newest && [...new Set(newest.flatMap(({ id }) => known.get(id) ?? []))];
  const made = await studyOfOperations(base, { available, wanted, byField: false }, rehearsal);
  const knownTasks = [base, head].flatMap((contract) => contract.operations.map((one) => taskName(one, contract)));
  return { ...made, knownTasks };
}

/** This program's fakes of both versions. */
function fakeVersions(base: ContractSource, head: ContractSource, service: ServiceSource): readonly Version[] {
  const versionOf = (name: Side, contract: ContractSource): Version => ({
    name,
    server: () => ({ kind: "contract", contract, service }),
  });
  return [versionOf("base", base), versionOf("head", head)];
}

/**
 * Loads the contract of each version, rehearses the study on base, and gives it the pace of the gate. Rejects with a CliError for a contract, task or
 * operation that cannot be used, and for servers that do not answer. The contracts are removed when `closing` is disposed.
 */
export async function ownComparison(
  of: Sources,
  flags: OwnComparisonFlags,
  measured: readonly Stack[],
  closing: AsyncDisposableStack,
): Promise<OwnComparison> {
  const base = closing.use(await contractOf("base", of, flags));
  const head = closing.use(await contractOf("head", of, flags));
  const contracts = { base: base.contract, head: head.contract };
  const { operations, notes } = shared(contracts);
  if (operations.length === 0) throw new CliError("usage", "base and head have no operation in common");
  const isFaked = of.versions.length === 0;
  // Answers are those of head's contract, as far as each contract has them: two fakes would make up other ones.
  const ofHead: ServiceSource = { ...fakeSource, factory: "versionFake", otherContract: head.source };
  const service = flags.contract === undefined ? realSource : ofHead;
  const versions = isFaked ? fakeVersions(base.source, head.source, service) : of.versions;
  const stacks = measured.filter(({ role }) => role === "style");
  await using rehearsing = new AsyncDisposableStack();
  const isNamed = flags.tasks !== undefined || flags.operations !== undefined;
  // A server that is started has data of its own; one that runs already may be used by others.
  const mayWrite = flags.disposable || (isNamed && of.running === undefined);
  const rehearsed = { contract: base.contract, stacks, service, mayWrite };
  const [first] = of.versions;
  const { rehearsal, targets } = await rehearsalOf(
    { ...rehearsed, serverOf: (stack) => first?.server(stack), owner: "base " },
    rehearsing,
  );
  try {
    const made = await studyOn(contracts, flags, operations, rehearsal);
    return {
      // Timed over a stack: a fake that is opened without one answers much sooner.
      study: await withGatePace(made.study, rehearsal.clients[0]?.client ?? rehearsal.open(), stacks.length),
      contract: base.source,
      service,
      versions,
      freshCopies: isFaked ? async () => versions : undefined,
      notes: [...notes, ...made.notes.split("\n").filter((line) => line !== "")],
      knownTasks: made.knownTasks,
    };
  } catch (thrown) {
    throw unreachable(thrown, targets);
  }
}
