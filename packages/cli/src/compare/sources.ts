// Prepares the two versions: git revisions, folders, or commands that start servers.
import { missingIn, type Version } from "@roundtrip/runner";
import type { ComparedVersion } from "@roundtrip/analysis";
import type { Warning } from "@roundtrip/runs";
import { guard } from "@roundtrip/runner/lifetime";
import { knownStack } from "@roundtrip/stacks";
import { existsSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { CliError } from "../basics/cli-error.ts";
import { checkoutWarnings } from "./checkout-warnings.ts";
import {
  accessOf,
  commandWords,
  runBuild,
  serveCommands,
  served,
  type ServerAccess,
} from "../targets/served-command.ts";
import { commandSources, targetSources } from "./named-servers.ts";
import { areFakes, given, serving, type Side, type SourceFlags, type Sources } from "./source-flags.ts";
import { GitRepository, parentCommit } from "../basics/git.ts";
import { loadConfigFile } from "../basics/config-file.ts";
import type { VersionFolders } from "./version-folders.ts";

export interface Preparing {
  readonly versionFolders: VersionFolders;
  readonly signal: AbortSignal;
  /** Called with a short description of each step. */
  readonly report: (what: string) => void;
}

/** Installs what the lock file names, from the local store where possible. */
const usualBuild = ["npx", "-y", "pnpm@10", "install", "--frozen-lockfile", "--prefer-offline"] as const;

interface NamedFolder {
  readonly name: Side;
  readonly folder: string;
  /** Where the user's commands run: the folder, or the one inside it that corresponds to the working directory. */
  readonly workingFolder: string;
  readonly compared: ComparedVersion;
  /** A path of the user relative to the folder; undefined for one outside. */
  readonly inside: (path: string) => string | undefined;
}

/** A folder with the commands that build and serve it. */
interface BuiltFolder extends NamedFolder, Pick<SourceFlags, "build" | "serve"> {}

/** What is configured in the folder itself, such as the entry of a server that head renames; typed flags are the same for both. */
async function withOwnCommands(folder: NamedFolder, flags: SourceFlags): Promise<BuiltFolder> {
  const { configured = [] } = flags;
  const found = configured.length === 0 ? undefined : await loadConfigFile(folder.workingFolder);
  const own = (name: "build" | "serve"): readonly string[] | undefined => {
    const value = configured.includes(name) ? found?.config[name] : undefined;
    if (value === undefined) return undefined;
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (values.every((text) => typeof text === "string")) return values;
    throw new CliError("usage", `${folder.name}: ${name} in its roundtrip.config.ts must be a command`);
  };
  const build = own("build")?.at(-1) ?? flags.build;
  const serve = own("serve") ?? flags.serve;
  return { ...folder, ...(build === undefined ? {} : { build }), ...(serve === undefined ? {} : { serve }) };
}

/** How to start servers from a folder: by a command, or as this project's own. Throws a usage error if neither is possible. */
function serverIn({ name, folder, workingFolder, serve }: BuiltFolder, access: ServerAccess): Version {
  if (serve !== undefined) {
    const { wordsFor } = serveCommands(serve);
    return { name, server: (stack) => served({ words: wordsFor(stack), cwd: workingFolder, access }, stack) };
  }
  const missing = missingIn(folder);
  if (missing === undefined) return { name, server: () => ({ kind: "checkout", folder }) };
  throw new CliError(
    "usage",
    `${name} is not this project (it has no ${missing}): say with --serve how one of its servers is started, such as --serve "node server.js {stack}"`,
  );
}

/** Throws a usage error for a path that is not a folder. */
function requireFolder(flag: string, path: string | undefined): string {
  if (path === undefined) throw new CliError("usage", `${flag} is missing: two versions are compared`);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return resolve(path);
  throw new CliError("usage", `${flag} ${path}: there is no such folder`);
}

async function fromFolders(
  flags: SourceFlags,
  { versionFolders, signal, report }: Preparing,
): Promise<readonly NamedFolder[]> {
  const wanted = [
    { name: "base", path: requireFolder("--base-dir", flags.baseDir) },
    { name: "head", path: requireFolder("--head-dir", flags.headDir) },
  ] as const;
  const folders: NamedFolder[] = [];
  for (const { name, path } of wanted) {
    report(`copying ${path}`);
    const folder = await versionFolders.copyOf(path, signal);
    const inside = (one: string): string | undefined =>
      !isAbsolute(one) && existsSync(join(folder, one)) ? one : undefined;
    folders.push({ name, folder, workingFolder: folder, compared: { label: path }, inside });
  }
  return folders;
}

async function fromRevisions(
  [base = "", head = ""]: readonly string[],
  { versionFolders, signal, report }: Preparing,
): Promise<{ readonly folders: readonly NamedFolder[]; readonly warnings: readonly Warning[] }> {
  const repository = await GitRepository.around(process.cwd());
  const revisions = [await repository.revision(base), await repository.revision(head)];
  const cwd = realpathSync(process.cwd());
  const within = relative(repository.folder, cwd);
  const inside = (path: string): string | undefined => {
    const from = relative(repository.folder, resolve(cwd, path));
    return from === ".." || from.startsWith(`..${sep}`) || isAbsolute(from) ? undefined : from;
  };
  const folders: NamedFolder[] = [];
  for (const [index, revision] of revisions.entries()) {
    const { commit, when } = revision;
    const label = await repository.labelOf(revision);
    const folder = versionFolders.newPath();
    const release = guard("checkout", folder);
    versionFolders.beforeEnd(() => {
      repository.forget(folder);
      release();
    });
    report(`checking ${label} out`);
    await repository.checkOut(commit, folder, signal);
    const workingFolder = join(folder, within);
    if (!existsSync(workingFolder)) throw new CliError("usage", `${label} has no folder ${within}`);
    const compared = { label, commit, when };
    folders.push({ name: index === 0 ? "base" : "head", folder, workingFolder, compared, inside });
  }
  const current = await repository.head();
  const isLeftOut = revisions.some(({ commit }) => commit === current) && (await repository.isDirty());
  const message = `the work tree has changes that are in no commit, and so not in what was measured: --base-dir and --head-dir compare folders as they are`;
  return { folders, warnings: isLeftOut ? [{ code: "dirty", message }] : [] };
}

/** Whether a checkout of this project has a stack: by its server's folder, or in older versions by the stack's folder. */
function hasStack(folder: string, stack: string): boolean {
  const { style, server } = knownStack(stack);
  const stacks = join(folder, "packages/stacks/src");
  return ["", ".ts"].some((extension) => existsSync(join(stacks, style, "servers", `${server}${extension}`)));
}

function isUnbuilt(folder: string): boolean {
  return existsSync(join(folder, "pnpm-lock.yaml")) && !existsSync(join(folder, "node_modules"));
}

async function buildAll(
  folders: readonly BuiltFolder[],
  flags: SourceFlags,
  { signal, report }: Preparing,
): Promise<void> {
  for (const { name, folder, workingFolder, compared, build, serve } of folders) {
    const asked = build === undefined ? undefined : commandWords("--build", build);
    const isOwn = !areFakes(flags) && serve === undefined && missingIn(folder) === undefined && isUnbuilt(folder);
    const argv = asked ?? (isOwn ? usualBuild : undefined);
    if (argv === undefined) continue;
    report(`building ${name} (${compared.label})`);
    await runBuild({
      argv,
      cwd: asked === undefined ? folder : workingFolder,
      label: `${name} (${compared.label})`,
      signal,
    });
  }
}

async function folderSources(
  named: readonly NamedFolder[],
  flags: SourceFlags,
  access: ServerAccess,
  preparing: Preparing,
): Promise<Sources> {
  const folders = await Promise.all(named.map((folder) => withOwnCommands(folder, flags)));
  const [base, head] = folders;
  if (base === undefined || head === undefined) throw new Error("two sides are two");
  // Reports a version that cannot start before building anything.
  const versions = areFakes(flags) ? [] : folders.map((one) => serverIn(one, access));
  const isOwn = flags.serve === undefined && !areFakes(flags);
  const folderOf = (side: Side): NamedFolder => (side === "base" ? base : head);
  return {
    base: base.compared,
    head: head.compared,
    running: undefined,
    usualStacks: head.serve === undefined ? undefined : serveCommands(head.serve).stacks,
    versions,
    pathIn(side, path) {
      const { folder, inside } = folderOf(side);
      const within = inside(path);
      return within === undefined ? path : join(folder, within);
    },
    shown(side, text) {
      const { folder, compared } = folderOf(side);
      const start = `${compared.label}${compared.commit === undefined ? sep : ":"}`;
      return text.replaceAll(`${folder}${sep}`, start).replaceAll(folder, compared.label);
    },
    warnings: [],
    async build() {
      await buildAll(folders, flags, preparing);
      return isOwn ? checkoutWarnings(base.folder, head.folder) : [];
    },
    lacks: (stack) => folders.find(({ folder }) => isOwn && !hasStack(folder, stack))?.name,
    async freshCopies(signal) {
      const fresh: Version[] = [];
      for (const one of folders) {
        const folder = await preparing.versionFolders.copyVersion(one.folder, signal);
        const workingFolder = join(folder, relative(one.folder, one.workingFolder));
        fresh.push(serverIn({ ...one, folder, workingFolder }, access));
      }
      return fresh;
    },
  };
}

/** Finds the named versions, unbuilt. Rejects with a CliError `usage` for flags or missing versions, or on abort. */
export async function sources(named: readonly string[], flags: SourceFlags, preparing: Preparing): Promise<Sources> {
  const [isByFolder, isByCommand] = [given(flags, ["baseDir", "headDir"]), given(flags, ["baseCmd", "headCmd"])];
  const isByTarget = given(flags, ["baseTarget", "headTarget"]);
  const isNamed = named.length > 0 || isByFolder || isByCommand || isByTarget;
  const revisions = isNamed ? named : [parentCommit, "HEAD"];
  const selections = [revisions.length > 0, isByFolder, isByCommand, isByTarget].filter(Boolean).length;
  if (selections !== 1 || (revisions.length > 0 && revisions.length !== 2)) {
    const what = selections > 1 ? "versions in one form only" : "two versions";
    const message = `give ${what}: BASE and HEAD, or --base-dir and --head-dir, or the same with -cmd or -target`;
    throw new CliError("usage", message);
  }
  if (flags.fakes && (flags.contract === undefined || given(flags, serving))) {
    throw new CliError("usage", "--fakes compares the fakes of a --contract, without a command that serves");
  }
  if (isByCommand || isByTarget) {
    if (given(flags, ["build", "serve"])) {
      const others = isByCommand ? "commands" : "targets";
      throw new CliError(
        "usage",
        `--build and --serve are for revisions and folders: leave them out, or the ${others}`,
      );
    }
    return isByCommand ? commandSources(flags, await accessOf(flags)) : targetSources(flags);
  }
  const access = await accessOf(flags);
  if (isByFolder) {
    return folderSources(await fromFolders(flags, preparing), flags, access, preparing);
  }
  const { folders, warnings } = await fromRevisions(revisions, preparing);
  const prepared = await folderSources(folders, flags, access, preparing);
  return { ...prepared, warnings: [...warnings, ...prepared.warnings] };
}
