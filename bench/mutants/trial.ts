// A copy of the project in which one file at a time is changed, and the tests that ought to notice.
import { endsWithUs, temporaryFolder, type TemporaryFolder } from "@roundtrip/runner/lifetime";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { changedFileVariable } from "./likeliest-first.ts";

/** How a changed file was taken: what noticed it, or nothing. `ill-typed`: no test, but the compiler. */
export type TrialOutcome = "failed" | "timed out" | "ill-typed" | "survived";

const leftOut = new Set([".git", "runs"]);

/** How much longer than without a change tests may take before they count as hanging. */
const patience = 3;
const leastMs = 20_000;
const mostMs = 900_000;

/** A copy of the project in a temporary folder, gone when it is disposed of or this program ends. */
export class ProjectCopy implements Disposable {
  readonly root: string;
  /** How long a package's tests may take, in milliseconds, by its folder. */
  readonly #limits = new Map<string, number>();

  readonly #folder: TemporaryFolder;

  private constructor(folder: TemporaryFolder) {
    this.#folder = folder;
    this.root = folder.path;
  }

  static async of(project: string): Promise<ProjectCopy> {
    const folder = temporaryFolder("mutants");
    const entries = readdirSync(project).filter((name) => !leftOut.has(name));
    await promisify(execFile)("cp", ["-a", ...entries.map((name) => join(project, name)), folder.path]);
    return new ProjectCopy(folder);
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }

  /** Runs a package's tests until the first fails. @param path the changed file */
  async #test(folder: string, path: string, limitMs: number): Promise<TrialOutcome> {
    const words = ["run", "--config=bench/mutants/vitest.config.ts", "--bail=1", "--reporter=dot", `${folder}/test/`];
    const child = spawn(join(this.root, "node_modules/.bin/vitest"), words, {
      cwd: this.root,
      stdio: "ignore",
      env: { ...process.env, [changedFileVariable]: path },
      // A session of its own: a test that never ends is killed with all that it started.
      detached: true,
    });
    const kill = endsWithUs(child);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        kill();
        resolve("timed out");
      }, limitMs);
      child.once("error", reject);
      child.once("exit", (code) => {
        clearTimeout(timer);
        resolve(code === 0 ? "survived" : "failed");
      });
    });
  }

  /** Whether the copy compiles as it is. What was checked before and has not changed is not checked again. */
  async #isTyped(): Promise<boolean> {
    const words = ["-p", ".", "--incremental", "--tsBuildInfoFile", join(this.root, "mutants.tsbuildinfo")];
    const child = spawn(join(this.root, "node_modules/.bin/tsc"), words, {
      cwd: this.root,
      stdio: "ignore",
      detached: true,
    });
    endsWithUs(child);
    const [status] = (await once(child, "exit")) as [number | null];
    return status === 0;
  }

  /** Whether tests, or the compiler, notice this text in the place of a file's. The file is as it was afterwards. @param folder that of its package, whose tests have passed */
  async outcomeOf(
    folder: string,
    path: string,
    texts: { readonly was: string; readonly is: string },
  ): Promise<TrialOutcome> {
    const file = join(this.root, path);
    writeFileSync(file, texts.is);
    try {
      const outcome = await this.#test(folder, path, this.#limits.get(folder) ?? mostMs);
      return outcome === "survived" && !(await this.#isTyped()) ? "ill-typed" : outcome;
    } finally {
      writeFileSync(file, texts.was);
    }
  }

  /** Whether all tests of a package pass as they are. How long they take limits how long they may with a change. */
  async passes(folder: string): Promise<boolean> {
    const startedAt = performance.now();
    const outcome = await this.#test(folder, "", mostMs);
    this.#limits.set(folder, leastMs + patience * (performance.now() - startedAt));
    return outcome === "survived";
  }
}
