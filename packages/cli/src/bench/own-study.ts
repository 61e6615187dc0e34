// A study of the user's contract: from a task file, or from the contract alone; and the service that answers it.
import type { LeftOut, TaskFile } from "@roundtrip/bench/own-contract";
import type { Contract, Operation } from "@roundtrip/contract";
import { type ServerCommand, type ServerSource, type ServiceSource, type Study } from "@roundtrip/runner";
import { existsSync } from "node:fs";
import { CliError } from "../basics/cli-error.ts";
import { fileLimitsMiB, readInput } from "../basics/read-input.ts";
import { type Measured, type Rehearsal, rehearsalOf, unreachable } from "./rehearsal.ts";

export interface OwnFlags {
  readonly contract?: readonly string[];
  readonly tasks?: string;
  readonly operations?: readonly string[];
  readonly disposable: boolean;
  /** Operations to measure if none are named; absent for the default. */
  readonly mostOperations?: number;
}

/** The service in measured server processes. */
export const realSource: ServiceSource = {
  module: import.meta.resolve("@roundtrip/service"),
  factory: "realService",
};
/** The contract's fake, in measured server processes. */
export const fakeSource: ServiceSource = {
  module: import.meta.resolve("@roundtrip/fakes/measured"),
  factory: "measuredFake",
};

/** Who answers where no server of the user's does. */
function serviceOf({ contract }: OwnFlags): ServiceSource {
  return contract === undefined ? realSource : fakeSource;
}

/** Whether the flags define a study instead of named ones. */
export function isOwnStudy(names: readonly string[], { contract, tasks, operations }: OwnFlags): boolean {
  const [flag] = [tasks && "--tasks", operations && "--operations"].filter((one) => one !== undefined);
  if (names.length > 0 && flag !== undefined) {
    const named = names.join(" ");
    // The user may have typed the names alone.
    const message = `${flag}, typed or in roundtrip.config.ts, makes a study of its own: leave ${named} out, or ${flag}`;
    throw new CliError("usage", message);
  }
  if (tasks !== undefined && operations !== undefined) {
    throw new CliError("usage", "--operations chooses what is measured without a task file: leave it out, or --tasks");
  }
  return names.length === 0 && (contract !== undefined || flag !== undefined);
}

/** The text of a task file. Rejects with a usage error. */
export function taskText(path: string): string {
  try {
    return readInput({ path, mostMiB: fileLimitsMiB.tasks, label: `the tasks in ${path}` });
  } catch (cause) {
    if (!(cause instanceof CliError) || existsSync(path)) throw cause;
    const hint = '"roundtrip tasks LOG --out FILE" makes a file of tasks of a log';
    throw new CliError("usage", `${cause.message}; ${hint}`, { cause });
  }
}

/** Of a contract with a thousand operations, more names would hide the reason. */
const mostNames = 12;

function namesText(operations: readonly string[]): string {
  const more = operations.length - mostNames;
  if (more <= 1) return operations.join(", ");
  return `${operations.slice(0, mostNames).join(", ")} and ${more} others`;
}

function leftOutText(leftOut: readonly LeftOut[]): string {
  return leftOut.map(({ operations, why }) => `Left out: ${namesText(operations)}: ${why}\n`).join("");
}

/** The error for an empty study. @param notes what was left out, and why. */
export function nothingLeft(notes: string): CliError {
  return new CliError("usage", `there is nothing to measure\n${notes.trimEnd()}`);
}

export interface OwnStudy {
  readonly study: Study;
  /** Notes to print before the run; may be empty. */
  readonly notes: string;
  readonly service: ServiceSource;
}

/** A study of a contract, with notes on what it leaves out. */
export type RehearsedStudy = Omit<OwnStudy, "service">;

export interface DerivedFrom {
  /** The operations to choose from, and those to measure; without these, as many as fit. */
  readonly available: readonly Operation[];
  readonly wanted: readonly Operation[] | undefined;
  /** Whether calls with a read mask are measured field by field too. */
  readonly byField: boolean;
  /** The maximum number of operations if none are named; absent for the usual one. */
  readonly mostOperations?: number;
}

/** A study of operations, each as a call. Rejects with a usage error if nothing is left to measure. */
export async function studyOfOperations(
  contract: Contract,
  operations: DerivedFrom,
  rehearsal: Rehearsal,
): Promise<RehearsedStudy> {
  const { derivedStudy } = await import("@roundtrip/bench/own-contract");
  const { study, leftOut, notCompared } = await derivedStudy(contract, {
    ...operations,
    open: rehearsal.open,
    clients: rehearsal.clients,
    mayWrite: rehearsal.mayWrite,
    isRepeatable: !rehearsal.isTarget,
  });
  const notes = leftOutText(leftOut);
  if (study === undefined) throw nothingLeft(notes);
  const differing = [...notCompared].map(
    ([task, members]) => `Not compared, as each call answers otherwise: ${members.join(", ")} of ${task}\n`,
  );
  return { study, notes: notes + differing.join("") };
}

/** A study of the tasks in a file. Rejects like {@link studyOfOperations}, and with a FakeError for a task that is not answered. */
export async function studyOfTaskFile(all: TaskFile, rehearsal: Rehearsal): Promise<RehearsedStudy> {
  const { fittingMixes, studyOfTasks, withoutWriting } = await import("@roundtrip/bench/own-contract");
  const { file: allowed, writing } = rehearsal.mayWrite ? { file: all, writing: [] } : withoutWriting(all);
  const { file, leftOut, byExample } = await fittingMixes(allowed, rehearsal);
  const why = "may write (--disposable measures them)";
  const left = leftOutText([...(writing.length === 0 ? [] : [{ operations: writing, why }]), ...leftOut]);
  const names = byExample.map(({ method }) => method.name).join(", ");
  const notes = left + (names === "" ? "" : `Called with an example instead: ${names}\n`);
  if (file.tasks.length === 0) throw nothingLeft(notes);
  return { study: await studyOfTasks(file, rehearsal.open(), rehearsal.clients), notes };
}

async function rehearsedStudy(contract: Contract, flags: OwnFlags, rehearsal: Rehearsal): Promise<RehearsedStudy> {
  if (flags.tasks !== undefined) {
    const { parseTaskFile } = await import("@roundtrip/bench/own-contract");
    return studyOfTaskFile(parseTaskFile(taskText(flags.tasks), flags.tasks, contract), rehearsal);
  }
  const { operationNamed } = await import("@roundtrip/fakes");
  const wanted = flags.operations?.map((name) => operationNamed(contract, name));
  const operations = {
    available: contract.operations,
    wanted: wanted && [...new Set(wanted)],
    byField: true,
    ...(flags.mostOperations === undefined ? {} : { mostOperations: flags.mostOperations }),
  };
  return studyOfOperations(contract, operations, rehearsal);
}

/** The servers of a study: targets, programs by stack that serve in place of this project's servers, or else this project's. */
export interface StudiedServers extends Pick<Measured, "stacks" | "targets"> {
  readonly commands: ReadonlyMap<string, ServerCommand>;
}

function opened(
  contract: Contract,
  flags: OwnFlags,
  { stacks, targets, commands }: StudiedServers,
  closing: AsyncDisposableStack,
): ReturnType<typeof rehearsalOf> {
  const serverOf = (stack: string): ServerSource | undefined => {
    const target = targets.find((one) => one.stack === stack);
    return commands.get(stack) ?? (target && { kind: "target", target });
  };
  // A server that is started has data of its own.
  const isNamed = commands.size > 0 && (flags.tasks !== undefined || flags.operations !== undefined);
  return rehearsalOf(
    {
      contract,
      stacks: commands.size === 0 ? stacks : stacks.filter(({ name }) => commands.has(name)),
      serverOf,
      owner: "",
      service: serviceOf(flags),
      mayWrite: flags.disposable || isNamed,
    },
    closing,
  );
}

/** The study that the flags define, rehearsed on these servers. Rejects for invalid tasks, failed calls, or an empty study. */
export async function ownStudy(contract: Contract, flags: OwnFlags, servers: StudiedServers): Promise<OwnStudy> {
  await using closing = new AsyncDisposableStack();
  const { rehearsal, targets } = await opened(contract, flags, servers, closing);
  try {
    return { ...(await rehearsedStudy(contract, flags, rehearsal)), service: serviceOf(flags) };
  } catch (thrown) {
    throw unreachable(thrown, targets);
  }
}
