// BASE and HEAD of `compare`, as typed: revisions or run directories by name, `dir=FOLDER`, `cmd=COMMAND`, or the addresses of running servers.
import type { ComparedVersion, Warning } from "@roundtrip/analysis";
import type { Version } from "@roundtrip/runner";
import { InvalidArgumentError } from "commander";
import { CliError } from "../basics/cli-error.ts";
import { parentCommit } from "../basics/git.ts";
import { commandsIn, servesFake } from "../targets/served-command.ts";
import { targetsOf, type TypedTargets } from "../targets/typed-target.ts";

export type Side = Version["name"];

export const sides = ["base", "head"] as const satisfies readonly Side[];

type BothSides<T> = Readonly<Record<Side, T>>;

/** The two versions as typed. The names are those of revisions or run directories. */
export type TypedVersions =
  | ({ readonly kind: "names" } & BothSides<string>)
  | ({ readonly kind: "folders" } & BothSides<string>)
  | ({ readonly kind: "commands" } & BothSides<string>)
  | ({ readonly kind: "targets" } & BothSides<TypedTargets>);

interface TypedVersion {
  readonly kind: TypedVersions["kind"];
  readonly value: string | TypedTargets;
}

function versionOf(text: string): TypedVersion {
  const [, key, value = ""] = /^(dir|cmd)=(.*)$/s.exec(text) ?? [];
  if (key !== undefined) return { kind: key === "dir" ? "folders" : "commands", value };
  if (!/^[\w+-]+=https?:\/\//.test(text)) return { kind: "names", value: text };
  try {
    return { kind: "targets", value: targetsOf(text) };
  } catch (cause) {
    if (!(cause instanceof InvalidArgumentError)) throw cause;
    throw new CliError("usage", `${text}: ${cause.message}`, { cause });
  }
}

/** Throws a usage error unless both are of one kind. A revision has defaults: HEAD and its parent. */
export function typedVersions(base = parentCommit, head = "HEAD"): TypedVersions {
  const [first, second] = [versionOf(base), versionOf(head)];
  if (first.kind === second.kind) {
    return { kind: first.kind, base: first.value, head: second.value } as TypedVersions;
  }
  throw new CliError(
    "usage",
    `${base} and ${head} are not of one kind: give two revisions, run directories, folders (dir=PATH), commands (cmd=COMMAND) or addresses (STYLE=URL)`,
  );
}

export interface SourceFlags {
  /** The contract of the servers; without it, that of this project. */
  readonly contract?: readonly string[];
  readonly build?: string;
  /** A command for all stacks, or one for each: `rest=COMMAND`; with what callers need. */
  readonly serve?: readonly string[];
  /** Which of these come from the configuration of the working directory: a version's own configuration then has its own. */
  readonly configured?: readonly ("build" | "serve")[];
}

/** Whether fakes of a contract are compared: on request, or because nothing says how to start a server. */
export function areFakes({ kind }: TypedVersions, { contract, serve }: SourceFlags): boolean {
  const hasServers = kind === "commands" || kind === "targets";
  return servesFake(serve) || (contract !== undefined && !hasServers && commandsIn(serve).length === 0);
}

/** Throws a usage error for flags that do not go with the versions. */
export function requireSourceFlags(versions: TypedVersions, { contract, build, serve }: SourceFlags): void {
  const hasServers = versions.kind === "commands" || versions.kind === "targets";
  if (servesFake(serve) && (contract === undefined || hasServers)) {
    throw new CliError("usage", "--serve fake compares the fakes of a --contract, without a command that serves");
  }
  if (!hasServers || (build === undefined && commandsIn(serve).length === 0)) return;
  throw new CliError(
    "usage",
    `--build and --serve are for revisions and folders: leave them out, or the ${versions.kind}`,
  );
}

/** Versions that can be built and started. */
export interface Sources {
  readonly base: ComparedVersion;
  readonly head: ComparedVersion;
  readonly warnings: readonly Warning[];
  /** The stacks of servers that run already, whose CPU time is unknown; undefined for servers that are started. */
  readonly running: readonly string[] | undefined;
  /** The stacks to compare if no flag selects any; undefined for the default stacks. */
  readonly usualStacks: readonly string[] | undefined;
  /** Empty if fakes are compared. */
  readonly versions: readonly Version[];
  /** The path of the user's file or folder as a version has it: the same path for one that belongs to neither. */
  pathIn(side: Side, path: string): string;
  /** A text with the paths of a version's files as the user knows them. */
  shown(side: Side, text: string): string;
  /** Builds both versions, where there is something to build. Rejects with a CliError `unavailable`, and on abort. */
  build(): Promise<void>;
  /** Prepares the same versions in new directories. */
  freshCopies(signal: AbortSignal): Promise<readonly Version[]>;
}
