// A copy of the project in which one file at a time is changed, and the tests that ought to notice.
import { endsWithUs, temporaryFolder, type TemporaryFolder } from "@roundtrip/runner/lifetime";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { killMarked, markVariable } from "../self/faults/processes.ts";
import { nearestFirst } from "./nearest-tests.ts";

/** How a changed file was taken: what noticed it, or nothing. `ill-typed`: no test, but the compiler. */
export type TrialOutcome = "failed" | "timed out" | "ill-typed" | "survived";

/** What Vitest writes of each test file, times in milliseconds. */
interface TestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: "passed" | "failed";
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

const leftOut = new Set([".git", "runs"]);

/** How much longer than without a change tests may take before they count as hanging. */
const patience = 3;
const leastMs = 20_000;
const mostMs = 900_000;

/** Tests that are run before all others: most changes are noticed by these alone. */
const nearest = 6;

/** Files that wait for each other's processors take longer than these need alone. */
const workersOfNearest = "--maxWorkers=2";

/** A copy of the project in a temporary folder, gone when it is disposed of or this program ends. */
export class ProjectCopy implements Disposable {
  readonly root: string;
  /** How long each test file of a package takes, in milliseconds, by the package's folder. */
  readonly #durations = new Map<string, ReadonlyMap<string, number>>();
  /** How long a package's tests may take, in milliseconds. */
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

  /** Runs tests until the first fails. @param words files or folders, and options of Vitest */
  async #test(words: readonly string[], limitMs: number): Promise<TrialOutcome> {
    const child = spawn(join(this.root, "node_modules/.bin/vitest"), ["run", "--bail=1", ...words], {
      cwd: this.root,
      stdio: "ignore",
      // A session of its own: a test that never ends is killed with all that it started.
      detached: true,
      env: { ...process.env, [markVariable]: this.root },
    });
    const kill = endsWithUs(child);
    const outcome = new Promise<TrialOutcome>((resolve, reject) => {
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
    // A change of what ends processes leaves some in sessions of their own: they would burn processors beside every later trial.
    return outcome.finally(() => killMarked(this.root));
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

  /** How a package's tests take the copy as it is. @param path the changed file */
  async #noticed(folder: string, path: string): Promise<TrialOutcome> {
    const durations = this.#durations.get(folder) ?? new Map<string, number>();
    const tests = nearestFirst(this.root, folder, path, durations);
    const [near, others] = [tests.slice(0, nearest), tests.slice(nearest)];
    const nearMs = near.reduce((sum, test) => sum + (durations.get(test) ?? 0), 0);
    const outcome = await this.#test(["--reporter=dot", workersOfNearest, ...near], leastMs + patience * nearMs);
    if (outcome !== "survived" || others.length === 0) return outcome;
    return this.#test(["--reporter=dot", ...others], this.#limits.get(folder) ?? mostMs);
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
      const outcome = await this.#noticed(folder, path);
      return outcome === "survived" && !(await this.#isTyped()) ? "ill-typed" : outcome;
    } finally {
      writeFileSync(file, texts.was);
    }
  }

  /**
   * Runs a package's tests without a change. How long they take limits how long they may with one.
   * @returns the first that fails; undefined if all pass
   */
  async failingTest(folder: string): Promise<string | undefined> {
    const startedAt = performance.now();
    const output = join(this.root, "mutants.json");
    const outcome = await this.#test(["--reporter=json", `--outputFile=${output}`, `${folder}/test/`], mostMs);
    if (outcome === "timed out") return `no test ended within ${mostMs / 1000} s`;
    const { testResults } = JSON.parse(readFileSync(output, "utf8")) as TestReport;
    if (outcome === "failed") {
      const file = testResults.find(({ status }) => status === "failed");
      const test = file?.assertionResults.find(({ status }) => status === "failed");
      return `${relative(this.root, file?.name ?? folder)} ${test?.fullName ?? ""}`.trim();
    }
    const durations = testResults.map(
      ({ name, startTime, endTime }) => [relative(this.root, name), endTime - startTime] as const,
    );
    this.#durations.set(folder, new Map(durations));
    this.#limits.set(folder, leastMs + patience * (performance.now() - startedAt));
    return undefined;
  }
}
