// What is measured of a contract that a user brings: tasks of a file, or what follows from the contract alone; and the server that it is measured on.
import type { Client, Contract, Operation } from "@roundtrip/contract";
import type { LeftOut } from "@roundtrip/bench/own-contract";
import { bearerClient, shownUrl, type ServiceSource, type Study, type Target } from "@roundtrip/runner";
import { connectDefaults, loadConnect } from "@roundtrip/stacks";
import { readFile } from "node:fs/promises";
import { fileFault } from "@roundtrip/runner";
import { CliError } from "../cli-error.ts";

export interface OwnFlags {
  readonly contract?: string;
  readonly tasks?: string;
  readonly operations?: readonly string[];
  readonly disposable: boolean;
}

/** What answers in measured server processes. */
export const realSource: ServiceSource = {
  module: import.meta.resolve("@roundtrip/service"),
  factory: "realService",
};
export const fakeSource: ServiceSource = {
  module: import.meta.resolve("@roundtrip/fakes/measured"),
  factory: "measuredFake",
};

/** Whether the flags ask for a study of their own, in place of those that have names. */
export function isOwnStudy(names: readonly string[], { contract, tasks, operations }: OwnFlags): boolean {
  const [flag] = [tasks && "--tasks", operations && "--operations"].filter((one) => one !== undefined);
  if (names.length > 0 && flag !== undefined) {
    throw new CliError("usage", `${flag} makes a study of its own: leave ${names.join(" ")} out, or ${flag}`);
  }
  if (tasks !== undefined && operations !== undefined) {
    throw new CliError("usage", "--operations chooses what is measured without a task file: leave it out, or --tasks");
  }
  return names.length === 0 && (contract !== undefined || flag !== undefined);
}

/** Where a study is rehearsed: on the first target, or in memory on what servers here will answer with. */
interface Place extends AsyncDisposable {
  readonly open: () => Client;
  readonly isTarget: boolean;
  /** What to call it in faults. */
  readonly title: string;
}

async function placeOf(contract: Contract, isFake: boolean, target: Target | undefined): Promise<Place> {
  if (target === undefined) {
    const { memoryClient } = await import("@roundtrip/fakes");
    const { measuredFake } = await import("@roundtrip/fakes/measured");
    const { realService } = await import("@roundtrip/service");
    const open = (): Client => {
      const service = isFake ? measuredFake(contract) : realService(contract);
      return memoryClient(() => service);
    };
    return { open, isTarget: false, title: "the service", [Symbol.asyncDispose]: async () => undefined };
  }
  const { stack, url, ca, tokenVariable } = target;
  const connect = await loadConnect(stack);
  const client = bearerClient(await connect(contract, { ...connectDefaults, url, ca }), tokenVariable);
  return { open: () => client, isTarget: true, title: shownUrl(url), [Symbol.asyncDispose]: () => client.close() };
}

async function textOf(path: string): Promise<string> {
  return readFile(path, "utf8").catch((cause: unknown) => {
    throw new CliError("usage", `cannot read the tasks in ${path}: ${fileFault(cause)}`, { cause });
  });
}

function leftOutText(leftOut: readonly LeftOut[]): string {
  return leftOut.map(({ operations, why }) => `Left out: ${operations.join(", ")}: ${why}\n`).join("");
}

export interface OwnStudy {
  readonly study: Study;
  /** What to know before it is measured: lines, or nothing. */
  readonly notes: string;
  readonly service: ServiceSource;
}

async function derived(contract: Contract, flags: OwnFlags, place: Place): Promise<Omit<OwnStudy, "service">> {
  const { derivedStudy } = await import("@roundtrip/bench/own-contract");
  const { operationNamed } = await import("@roundtrip/fakes");
  const wanted: readonly Operation[] | undefined = flags.operations?.map((name) => operationNamed(contract, name));
  const { study, leftOut, notCompared } = await derivedStudy(contract, {
    wanted: wanted === undefined ? undefined : [...new Set(wanted)],
    open: place.open,
    mayWrite: !place.isTarget || flags.disposable,
    isRepeatable: !place.isTarget,
  });
  const notes = leftOutText(leftOut);
  if (study === undefined) {
    throw new CliError("usage", `there is nothing to measure\n${notes.trimEnd()}`);
  }
  const differing = [...notCompared].map(
    ([task, members]) => `Not compared, as each call answers otherwise: ${members.join(", ")} of ${task}\n`,
  );
  return { study, notes: notes + differing.join("") };
}

async function ofTasks(contract: Contract, path: string, place: Place): Promise<Omit<OwnStudy, "service">> {
  const { parseTaskFile, studyOfTasks } = await import("@roundtrip/bench/own-contract");
  const file = parseTaskFile(await textOf(path), path, contract);
  return { study: await studyOfTasks(file, place.open()), notes: "" };
}

/**
 * The study that flags ask for, rehearsed. Rejects with an error that says what a user can do: about the task file, about calls that are not answered, and
 * when nothing is left to measure.
 */
export async function ownStudy(
  contract: Contract,
  flags: OwnFlags,
  targets: readonly Target[],
  isServedHere: boolean,
): Promise<OwnStudy> {
  const isFake = flags.contract !== undefined;
  await using place = await placeOf(contract, isFake, isServedHere ? undefined : targets[0]);
  const { study, notes } =
    flags.tasks === undefined ? await derived(contract, flags, place) : await ofTasks(contract, flags.tasks, place);
  return { study, notes, service: isFake ? fakeSource : realSource };
}
