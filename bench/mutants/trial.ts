// A copy of the project in which one file at a time is changed, and the tests that ought to notice.
import { execFile, spawn } from "node:child_process";
import { globSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";

/** How tests took a changed file: what failed them, or nothing. */
export type Outcome = "failed" | "timed out" | "survived";

const leftOut = new Set([".git", "runs"]);
/** How many files of tests are asked before the others. */
const mostNear = 6;

/** Words of a file's name that tell what it is about. */
function wordsOf(path: string): readonly string[] {
  return basename(path)
    .split(/[.-]/)
    .filter((word) => word.length > 2 && word !== "test");
}

/** The package's tests, those first whose names are likest to the file's. */
function nearestTests(root: string, folder: string, path: string): readonly string[] {
  const words = wordsOf(path);
  const alike = (test: string): number => wordsOf(test).filter((word) => words.includes(word)).length;
  const tests = globSync(`${folder}/test/**/*.test.ts`, { cwd: root }).toSorted();
  return tests.filter((test) => alike(test) > 0).toSorted((one, other) => alike(other) - alike(one));
}

/** A copy of the project in a directory for temporary files; {@link ProjectCopy.remove} removes it. */
export class ProjectCopy {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  static async of(project: string): Promise<ProjectCopy> {
    const root = await mkdtemp(join(tmpdir(), "roundtrip-mutants-"));
    await mkdir(root, { recursive: true });
    const entries = readdirSync(project).filter((name) => !leftOut.has(name));
    await promisify(execFile)("cp", ["-a", ...entries.map((name) => join(project, name)), root]);
    return new ProjectCopy(root);
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  /** Runs these tests until the first fails. An empty list stands for all of the package. */
  async #test(folder: string, files: readonly string[], limitMs: number): Promise<Outcome> {
    const words = ["run", "--bail=1", "--reporter=dot", ...(files.length === 0 ? [`${folder}/test/`] : files)];
    const child = spawn(join(this.root, "node_modules/.bin/vitest"), words, {
      cwd: this.root,
      stdio: "ignore",
      // A process group of its own: a test that never ends is killed with all that it started.
      detached: true,
    });
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
        resolve("timed out");
      }, limitMs);
      child.once("error", reject);
      child.once("exit", (code) => {
        clearTimeout(timer);
        resolve(code === 0 ? "survived" : "failed");
      });
    });
  }

  /** Whether tests notice this text in the place of a file's. The file is as it was afterwards. @param folder that of its package. */
  async outcomeOf(
    folder: string,
    path: string,
    texts: { readonly was: string; readonly is: string },
  ): Promise<Outcome> {
    const file = join(this.root, path);
    writeFileSync(file, texts.is);
    try {
      const near = nearestTests(this.root, folder, path).slice(0, mostNear);
      const first = near.length === 0 ? "survived" : await this.#test(folder, near, 120_000);
      return first === "survived" ? await this.#test(folder, [], 600_000) : first;
    } finally {
      writeFileSync(file, texts.was);
    }
  }

  /** Whether all tests of a package pass as they are. */
  async passes(folder: string): Promise<boolean> {
    return (await this.#test(folder, [], 900_000)) === "survived";
  }
}
