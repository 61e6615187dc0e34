// Versions that are servers without a folder: commands that start them, or addresses where they run already.
import { shownUrl, type Target, type Version } from "@roundtrip/runner";
import { CliError } from "../basics/cli-error.ts";
import { commandWords, served, type ServerAccess } from "../targets/served-command.ts";
import { knownTargets } from "../targets/known-targets.ts";
import type { Side, SourceFlags, Sources } from "./source-flags.ts";

/** What is the same for all of them: paths are the user's, and there is nothing to copy. */
function outsideFolders(
  versions: readonly Version[],
): Pick<Sources, "warnings" | "versions" | "pathIn" | "shown" | "build" | "freshCopies"> {
  return {
    warnings: [],
    versions,
    pathIn: (_side, path) => path,
    shown: (_side, text) => text,
    build: () => Promise.resolve([]),
    freshCopies: () => Promise.resolve(versions),
  };
}

/** Servers that two commands start. Throws a usage error for a missing command. */
export function commandSources(flags: SourceFlags, access: ServerAccess): Sources {
  const words = (side: Side): readonly string[] => {
    const command = side === "base" ? flags.baseCmd : flags.headCmd;
    if (command === undefined) throw new CliError("usage", `--${side}-cmd is missing: two versions are compared`);
    return commandWords(`--${side}-cmd`, command);
  };
  const sides = (["base", "head"] as const).map((name) => ({ name, words: words(name) }));
  const versions = sides.map(({ name, words: argv }): Version => ({
    name,
    server: (stack) => served({ words: argv, cwd: process.cwd(), access }, stack),
  }));
  const [base, head] = sides.map(({ words: argv }) => ({ label: argv.join(" ") }));
  if (base === undefined || head === undefined) throw new Error("two sides are two");
  return {
    ...outsideFolders(versions),
    base,
    head,
    running: undefined,
    usualStacks: undefined,
    lacks: () => undefined,
  };
}

/** The targets of a side, by stack. */
async function targetsOf(side: Side, flags: SourceFlags): Promise<ReadonlyMap<string, Target>> {
  const typed = side === "base" ? flags.baseTarget : flags.headTarget;
  if (typed === undefined) throw new CliError("usage", `--${side}-target is missing: two versions are compared`);
  const targets = await knownTargets(typed, flags.ca, flags.tokenEnv);
  return new Map(targets.map((target) => [target.stack, target]));
}

function versionAt(name: Side, targets: ReadonlyMap<string, Target>): Version {
  return {
    name,
    server(stack) {
      const target = targets.get(stack);
      if (target === undefined) throw new Error(`no target for ${stack}`);
      return { kind: "target", target };
    },
  };
}

function labelled(targets: ReadonlyMap<string, Target>): { readonly label: string } {
  return { label: [...targets.values()].map(({ url }) => shownUrl(url)).join(", ") };
}

/** Servers that run already. Rejects with a usage error for a missing, unknown or unequal target. */
export async function targetSources(flags: SourceFlags): Promise<Sources> {
  const [base, head] = [await targetsOf("base", flags), await targetsOf("head", flags)];
  const running = [...base.keys()];
  const alone = running.find((stack) => !head.has(stack)) ?? [...head.keys()].find((stack) => !base.has(stack));
  if (alone !== undefined) {
    throw new CliError("usage", `--base-target and --head-target must name the same stacks; one alone has ${alone}`);
  }
  return {
    ...outsideFolders([versionAt("base", base), versionAt("head", head)]),
    base: labelled(base),
    head: labelled(head),
    running,
    usualStacks: running,
    lacks: () => undefined,
  };
}
