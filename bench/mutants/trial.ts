// A copy of the project in which one file at a time is changed, and the tests that should notice.
import { atExit, endsWithUs, temporaryFolder, type TemporaryFolder } from "@roundtrip/runner/lifetime";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { killMarked, markVariable } from "../self/faults/processes.ts";
import { nearestFirst } from "./nearest-tests.ts";

/** What noticed a changed file, if anything. `ill-typed`: the compiler, but no test. */
export type TrialOutcome = "failed" | "timed out" | "ill-typed" | "survived";

/** The report that Vitest writes for each test file; times in milliseconds. */
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

/** How many times as long as without a change tests may take before they count as hanging. */
const patience = 3;
const leastMs = 20_000;
const mostMs = 900_000;

/** The number of tests that run first: they notice most changes. */
const nearest = 6;

/** Test files that compete for processors take longer than alone. */
const workersOfNearest = "--maxWorkers=2";

/** A copy of the project in a temporary folder, removed when it is disposed of or this program ends. */
export class ProjectCopy implements Disposable {
  readonly root: string;
  /** The duration of each test file of a package in milliseconds, by the folder of the package. */
  readonly #durations = new Map<string, ReadonlyMap<string, number>>();
  /** The time limit for the tests of a package, in milliseconds. */
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
      // A session of its own, so that a hanging test is killed with all its processes.
      detached: true,
      env: { ...process.env, [markVariable]: this.root },
    });
    const kill = endsWithUs(child);
    // A mutant may break the code that ends processes; processes in other sessions would slow down all later trials.
    using _ = atExit(() => killMarked(this.root));
    return await new Promise<TrialOutcome>((resolve, reject) => {
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

  /** Whether the copy compiles as it is. Unchanged files are not checked again. */
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

  /** Runs the tests of a package on the copy as it is. @param path the changed file */
  async #noticed(folder: string, path: string): Promise<TrialOutcome> {
    const durations = this.#durations.get(folder) ?? new Map<string, number>();
    const tests = nearestFirst(this.root, folder, path, durations);
    const [near, others] = [tests.slice(0, nearest), tests.slice(nearest)];
    const nearMs = near.reduce((sum, test) => sum + (durations.get(test) ?? 0), 0);
    const outcome = await this.#test(["--reporter=dot", workersOfNearest, ...near], leastMs + patience * nearMs);
    if (outcome !== "survived" || others.length === 0) return outcome;
    return this.#test(["--reporter=dot", ...others], this.#limits.get(folder) ?? mostMs);
  }

  /**
   * Whether tests or the compiler notice this text as the content of a file. Restores the file afterwards. @param folder the folder of its package,
   * whose tests have passed
   */
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

  /** Runs the tests of a package without a change; their duration sets the time limit. @returns the first test that fails; undefined if all pass */
  async failingTest(folder: string): Promise<string | undefined> {
    const startedAt = performance.now();
    const output = join(this.root, "mutants.json");
    const outcome = await this.#test(["--reporter=json", `--outputFile=${output}`, `${folder}/test/`], mostMs);
    if (outcome === "timed out") return `no test ended within ${mostMs / 1000} s`;
    const { testResults } = JSON.parse(readFileSync(output, "utf8")) as TestReport;
    if (outcome === "failed") {
      // Files that had not begun by then are listed as failed too.
      const [found] = testResults.flatMap(({ name, assertionResults }) =>
        assertionResults.flatMap(({ status, fullName }) => (status === "failed" ? [{ name, fullName }] : [])),
      );
      const file = found ?? testResults.find(({ status }) => status === "failed");
      return `${relative(this.root, file?.name ?? folder)} ${found?.fullName ?? ""}`.trim();
    }
    const durations = testResults.map(
      ({ name, startTime, endTime }) => [relative(this.root, name), endTime - startTime] as const,
    );
    this.#durations.set(folder, new Map(durations));
    this.#limits.set(folder, leastMs + patience * (performance.now() - startedAt));
    return undefined;
  }
}
