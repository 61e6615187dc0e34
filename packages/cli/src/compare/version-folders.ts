// Temporary folders for versions, removed however the program ends. Random names of equal length give all versions equally long paths.
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync } from "node:fs";
import { platform } from "node:os";
import { join } from "node:path";
import { fileFault, spaceFault } from "@roundtrip/runs/files";
import { atExit, temporaryFolder, type TemporaryFolder } from "@roundtrip/runner/lifetime";
import { CliError } from "../basics/cli-error.ts";
import { programEnd } from "../basics/program-end.ts";

const nameBytes = 6;

export class VersionFolders implements Disposable {
  readonly #folder: TemporaryFolder;
  readonly #undo: (() => void)[] = [];
  readonly #end: Disposable;

  /** Throws a RunnerError `unwritable` if temporary files cannot be written. */
  constructor() {
    this.#folder = temporaryFolder("compare");
    // A second Ctrl-C ends the program at once.
    this.#end = atExit(() => this.#empty());
  }

  newPath(): string {
    return join(this.#folder.path, randomBytes(nameBytes).toString("hex"));
  }

  /** Registers a step to run after the folders are removed. */
  afterEnd(undo: () => void): void {
    this.#undo.push(undo);
  }

  /** Copies a user's folder without `.git`; keeps links. Rejects with a CliError `unavailable`. */
  async copyOf(folder: string, signal: AbortSignal): Promise<string> {
    return this.#copy(folder, [], signal);
  }

  /** Copies one of these folders. On Linux its files are hard links, because nothing changes them. */
  async copyVersion(folder: string, signal: AbortSignal): Promise<string> {
    return this.#copy(folder, platform() === "linux" ? ["--link"] : [], signal);
  }

  async #copy(folder: string, flags: readonly string[], signal: AbortSignal): Promise<string> {
    const entries = readdirSync(folder).filter((name) => name !== ".git");
    const copy = this.newPath();
    const failed = (why: string): CliError => new CliError("unavailable", `cannot copy ${folder}: ${why}`);
    try {
      mkdirSync(copy);
    } catch (cause) {
      throw failed(fileFault(cause));
    }
    const paths = entries.map((name) => join(folder, name));
    if (paths.length === 0) return copy;
    const { status, why, stderr } = await programEnd(["cp", "-a", ...flags, "--", ...paths, copy], { signal });
    signal.throwIfAborted();
    if (status === 0) return copy;
    throw failed(spaceFault(this.#folder.path, stderr) ?? why);
  }

  [Symbol.dispose](): void {
    this.#end[Symbol.dispose]();
  }

  #empty(): void {
    this.#folder[Symbol.dispose]();
    for (const undo of this.#undo.splice(0)) undo();
  }
}
