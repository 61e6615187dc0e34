// The flags that name two versions, and what becomes of them.
import type { ComparedVersion } from "@roundtrip/analysis";
import type { Warning } from "@roundtrip/runs";
import type { Version } from "@roundtrip/runner";
import type { TypedTarget } from "../targets/typed-target.ts";

export interface SourceFlags {
  /** The contract of the servers; without it, that of this project. */
  readonly contract?: readonly string[];
  readonly tokenEnv?: string;
  /** The file with the certificate authority of the servers. */
  readonly ca?: string;
  readonly fakes: boolean;
  readonly baseDir?: string;
  readonly headDir?: string;
  readonly baseCmd?: string;
  readonly headCmd?: string;
  readonly baseTarget?: readonly TypedTarget[];
  readonly headTarget?: readonly TypedTarget[];
  readonly build?: string;
  /** A command for all stacks, or one for each: `rest=COMMAND`. */
  readonly serve?: readonly string[];
  /** Which of these come from the configuration of the working directory: a version's own configuration then has its own. */
  readonly configured?: readonly ("build" | "serve")[];
}

export type Side = Version["name"];

/** The flags that say which servers are compared. */
export const serving = ["serve", "baseCmd", "headCmd", "baseTarget", "headTarget"] as const;

/** Whether one of these flags is given. */
export function given(
  flags: SourceFlags,
  names: readonly Exclude<keyof SourceFlags, "fakes" | "configured">[],
): boolean {
  return names.some((name) => flags[name] !== undefined);
}

/** Whether fakes of a contract are compared: on request, or because nothing says how to start a server. */
export function areFakes(flags: SourceFlags): boolean {
  return flags.fakes || (flags.contract !== undefined && !given(flags, serving));
}

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
  /** Builds both versions, where there is something to build, and returns what to warn of. Rejects with a CliError `unavailable`, and on abort. */
  build(): Promise<readonly Warning[]>;
  /** The side that has no server for a stack, as far as known without starting it. */
  lacks(stack: string): Side | undefined;
  /** Prepares the same versions in new directories. */
  freshCopies(signal: AbortSignal): Promise<readonly Version[]>;
}
