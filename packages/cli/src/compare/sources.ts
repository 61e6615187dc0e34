// Prepares the two versions: git revisions, folders, or commands that start servers.
import { missingIn, shownUrl, type Target, type Version } from "@roundtrip/runner";
import type { ComparedVersion } from "@roundtrip/analysis";
import { guard } from "@roundtrip/runner/lifetime";
import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, isAbsolute, join, relative, resolve, sep } from "node:path";
import { CliError } from "../basics/cli-error.ts";
import { accessOf, knownTargets, type ServerAccess } from "../targets/known-targets.ts";
import { accessAmong, commandWords, runBuild, serveCommands, served, servesFake } from "../targets/served-command.ts";
import { areFakes, sides, type Side, type SourceFlags, type Sources, type TypedVersions } from "./versions.ts";
import { GitRepository } from "../basics/git.ts";
import { loadConfigFile } from "../basics/config-file.ts";
import type { VersionFolders } from "./version-folders.ts";

type Typed<Kind extends TypedVersions["kind"]> = Extract<TypedVersions, { readonly kind: Kind }>;

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

/** A folder with the commands that build and serve it; without `serve`, its server is this project's. */
interface BuiltFolder extends NamedFolder, Pick<SourceFlags, "build" | "serve"> {
  readonly access: ServerAccess;
}

/** What is configured in the folder itself, such as the entry of a server that head renames; typed flags are the same for both. */
async function withOwnCommands(
  folder: NamedFolder,
  flags: SourceFlags,
  report: Preparing["report"],
): Promise<BuiltFolder> {
  const { configured = [] } = flags;
  const found = configured.length === 0 ? undefined : await loadConfigFile(folder.workingFolder);
  if (found !== undefined) report(`reading ${basename(found.path)} of ${folder.compared.label}`);
  const own = (name: "build" | "serve"): readonly string[] | undefined => {
    const value = configured.includes(name) ? found?.config[name] : undefined;
    if (value === undefined) return undefined;
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (values.every((text) => typeof text === "string")) return values;
    throw new CliError("usage", `${folder.name}: ${name} in its roundtrip.config.ts must be a command`);
  };
  const build = own("build")?.at(-1) ?? flags.build;
  const serve = own("serve") ?? flags.serve;
  const commands = serve === undefined || servesFake(serve) ? {} : { serve };
  return {
    ...folder,
    ...(build === undefined ? {} : { build }),
    ...commands,
    access: await accessOf(accessAmong(serve)),
  };
}

/** How to start servers from a folder: by a command, or as this project's own. Throws a usage error if neither is possible. */
function serverIn({ name, folder, workingFolder, serve, access }: BuiltFolder): Version {
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

async function fromFolders(
  versions: Typed<"folders">,
  { versionFolders, signal, report }: Preparing,
): Promise<readonly NamedFolder[]> {
  for (const side of sides) {
    if (statSync(versions[side], { throwIfNoEntry: false })?.isDirectory() === true) continue;
    throw new CliError("usage", `dir=${versions[side]}: there is no such folder`);
  }
  const folders: NamedFolder[] = [];
  for (const name of sides) {
    const path = resolve(versions[name]);
    report(`copying ${path}`);
    const folder = await versionFolders.copyOf(path, signal);
    const inside = (file: string): string | undefined =>
      !isAbsolute(file) && existsSync(join(folder, file)) ? file : undefined;
    folders.push({ name, folder, workingFolder: folder, compared: { label: path }, inside });
  }
  return folders;
}

async function fromRevisions(
  { base, head }: Typed<"names">,
  { versionFolders, signal, report }: Preparing,
): Promise<{ readonly folders: readonly NamedFolder[]; readonly warnings: Sources["warnings"] }> {
  const repository = await GitRepository.around(process.cwd());
  const revisions = bothOf([await repository.revision(base), await repository.revision(head)]);
  const cwd = realpathSync(process.cwd());
  const within = relative(repository.folder, cwd);
  const inside = (path: string): string | undefined => {
    const from = relative(repository.folder, resolve(cwd, path));
    return from === ".." || from.startsWith(`..${sep}`) || isAbsolute(from) ? undefined : from;
  };
  const folders: NamedFolder[] = [];
  for (const name of sides) {
    const revision = revisions[name];
    const { commit, when } = revision;
    const label = await repository.labelOf(revision);
    const folder = versionFolders.newPath();
    const release = guard("checkout", folder);
    versionFolders.afterEnd(() => {
      repository.forget(folder);
      release();
    });
    report(`checking ${label} out`);
    await repository.checkOut(commit, folder, signal);
    const workingFolder = join(folder, within);
    if (!existsSync(workingFolder)) throw new CliError("usage", `${label} has no folder ${within}`);
    const compared = { label, commit, when };
    folders.push({ name, folder, workingFolder, compared, inside });
  }
  const current = await repository.head();
  const isLeftOut = sides.some((side) => revisions[side].commit === current) && (await repository.isDirty());
  const message = `the work tree has changes that are in no commit, and so not in what was measured: dir=FOLDER compares a folder as it is`;
  return { folders, warnings: isLeftOut ? [{ code: "dirty", message }] : [] };
}

function isUnbuilt(folder: string): boolean {
  return existsSync(join(folder, "pnpm-lock.yaml")) && !existsSync(join(folder, "node_modules"));
}

async function buildAll(
  folders: readonly BuiltFolder[],
  areFaked: boolean,
  { signal, report }: Preparing,
): Promise<void> {
  for (const { name, folder, workingFolder, compared, build, serve } of folders) {
    const asked = build === undefined ? undefined : commandWords("--build", build);
    const isOwn = !areFaked && serve === undefined && missingIn(folder) === undefined && isUnbuilt(folder);
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

function bothOf<T>([base, head]: readonly T[]): Readonly<Record<Side, T>> {
  if (base === undefined || head === undefined) throw new Error("there are two versions");
  return { base, head };
}

async function folderSources(
  named: readonly NamedFolder[],
  flags: SourceFlags,
  areFaked: boolean,
  preparing: Preparing,
): Promise<Sources> {
  const folders = await Promise.all(named.map((folder) => withOwnCommands(folder, flags, preparing.report)));
  const folderOf = bothOf(folders);
  // Reports a version that cannot start before building anything.
  const versions = areFaked ? [] : folders.map(serverIn);
  return {
    base: folderOf.base.compared,
    head: folderOf.head.compared,
    running: undefined,
    usualStacks: folderOf.head.serve === undefined ? undefined : serveCommands(folderOf.head.serve).stacks,
    versions,
    pathIn(side, path) {
      const { folder, inside } = folderOf[side];
      const within = inside(path);
      return within === undefined ? path : join(folder, within);
    },
    shown(side, text) {
      const { folder, compared } = folderOf[side];
      const start = `${compared.label}${compared.commit === undefined ? sep : ":"}`;
      return text.replaceAll(`${folder}${sep}`, start).replaceAll(folder, compared.label);
    },
    warnings: [],
    build: () => buildAll(folders, areFaked, preparing),
    async freshCopies(signal) {
      const fresh: Version[] = [];
      for (const version of folders) {
        const folder = await preparing.versionFolders.copyVersion(version.folder, signal);
        const workingFolder = join(folder, relative(version.folder, version.workingFolder));
        fresh.push(serverIn({ ...version, folder, workingFolder }));
      }
      return fresh;
    },
  };
}

/** Servers without a folder: paths are the user's, and there is nothing to build or copy. */
function outsideFolders(
  versions: readonly Version[],
  labels: Pick<Sources, "base" | "head">,
  running: readonly string[] | undefined,
): Sources {
  return {
    ...labels,
    warnings: [],
    running,
    usualStacks: running,
    versions,
    pathIn: (_side, path) => path,
    shown: (_side, text) => text,
    build: () => Promise.resolve(),
    freshCopies: () => Promise.resolve(versions),
  };
}

function commandSources(commands: Typed<"commands">, access: ServerAccess): Sources {
  const words = bothOf(sides.map((side) => commandWords(`${side} cmd=`, commands[side])));
  const versions = sides.map((name): Version => ({
    name,
    server: (stack) => served({ words: words[name], cwd: process.cwd(), access }, stack),
  }));
  return outsideFolders(versions, bothOf(sides.map((side) => ({ label: words[side].join(" ") }))), undefined);
}

/** Servers that run already. Rejects with a usage error for an unknown or unequal target. */
async function targetSources(typed: Typed<"targets">): Promise<Sources> {
  const targetsOf = async (side: Side): Promise<ReadonlyMap<string, Target>> =>
    new Map((await knownTargets(typed[side])).map((target) => [target.stack, target]));
  const targets = bothOf([await targetsOf("base"), await targetsOf("head")]);
  const running = [...targets.base.keys()];
  const alone =
    running.find((stack) => !targets.head.has(stack)) ??
    [...targets.head.keys()].find((stack) => !targets.base.has(stack));
  if (alone !== undefined) {
    throw new CliError("usage", `BASE and HEAD must have addresses of the same stacks; only one has ${alone}`);
  }
  const versions = sides.map((name): Version => ({
    name,
    server(stack) {
      const target = targets[name].get(stack);
      if (target === undefined) throw new Error(`no target for ${stack}`);
      return { kind: "target", target };
    },
  }));
  const labels = sides.map((side) => ({
    label: [...targets[side].values()].map(({ url }) => shownUrl(url)).join(", "),
  }));
  return outsideFolders(versions, bothOf(labels), running);
}

/** Finds the typed versions, unbuilt. Rejects with a CliError `usage` for missing versions, and on abort. */
export async function sources(typed: TypedVersions, flags: SourceFlags, preparing: Preparing): Promise<Sources> {
  if (typed.kind === "targets") return targetSources(typed);
  if (typed.kind === "commands") return commandSources(typed, await accessOf(accessAmong(flags.serve)));
  const areFaked = areFakes(typed, flags);
  if (typed.kind === "folders") {
    return folderSources(await fromFolders(typed, preparing), flags, areFaked, preparing);
  }
  const { folders, warnings } = await fromRevisions(typed, preparing);
  return { ...(await folderSources(folders, flags, areFaked, preparing)), warnings };
}
