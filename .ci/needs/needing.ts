// Requirements of tests beyond Node.js and npm. Tests with missing ones are skipped with a reason, and `left-out.ts` prints what to install.
import { spawnSync } from "node:child_process";
import { globSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { homeFolder } from "../../packages/runs/src/files.ts";
import { missingTools } from "../outside/tools.ts";

declare module "vitest" {
  interface TaskMeta {
    /** Why a test is left out: "tests of WHAT, WHAT IS MISSING". */
    leftOut?: string;
  }
}

interface Need {
  /** Completes "tests of", such as "pages". */
  readonly of: string;
  /** The missing requirement, with the command that installs it; undefined if none is missing. */
  readonly missing: () => string | undefined | Promise<string | undefined>;
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** Names of browsers based on Chromium, and where they are installed outside the PATH. */
const browsers = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "microsoft-edge"];
const installedBrowsers = [
  "/opt/google/chrome/chrome",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** Playwright's builds, the newest first. */
function playwrightBrowsers(): readonly string[] {
  const caches = process.platform === "darwin" ? "Library/Caches" : ".cache";
  const cache = process.env["PLAYWRIGHT_BROWSERS_PATH"] ?? join(homeFolder() ?? "/", caches, "ms-playwright");
  const executables = "{chrome,headless_shell,chrome-headless-shell,Chromium.app/Contents/MacOS/Chromium}";
  return globSync(`chromium*-*/*/${executables}`, { cwd: cache })
    .toSorted((one, other) => other.localeCompare(one, "en", { numeric: true }))
    .map((path) => join(cache, path));
}

/** The path of this machine's browser: CHROMIUM_PATH, else one on the PATH, else installed, else Playwright's. Throws if CHROMIUM_PATH names no file. */
export function browserHere(): string | undefined {
  const named = process.env["CHROMIUM_PATH"] ?? "";
  if (named !== "" && !isFile(named)) {
    throw new Error(`CHROMIUM_PATH names no file: ${named}; set it to the executable of a browser, or unset it`);
  }
  if (named !== "") return named;
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const onPath = browsers.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...onPath, ...installedBrowsers, ...playwrightBrowsers()].find(isFile);
}

function install(debian: string, brew: string = debian): string {
  return process.platform === "darwin" ? `brew install ${brew}` : `apt-get install ${debian}`;
}

/** Whether a program is missing from the PATH, as a message. */
function lacking(name: string, command: string = install(name)): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const names = process.platform === "win32" ? [`${name}.exe`, `${name}.cmd`] : [name];
  const isThere = folders.some((folder) => names.some((file) => isFile(join(folder, file))));
  return isThere ? undefined : `no ${name}: ${command}`;
}

/** Without downloading anything: a test that waits for a network would take minutes, or fail without one. */
function missingForGo(): string | undefined {
  const noGo = lacking("go", install("golang-go", "go"));
  if (noGo !== undefined) return noGo;
  const folder = fileURLToPath(new URL("../../examples/targets/go", import.meta.url));
  const env = { ...process.env, GOPROXY: "off", GOTOOLCHAIN: "auto" };
  const { status } = spawnSync("go", ["list", "-deps", "./...", "tool"], { cwd: folder, env, stdio: "ignore" });
  return status === 0 ? undefined : "its modules are missing: go -C examples/targets/go mod download";
}

/** Without downloading anything, as for Go. */
function missingForPythonTarget(): string | undefined {
  const noPython = missingTools(["python"])[0];
  if (noPython !== undefined) return noPython;
  const prepare = fileURLToPath(new URL("../../examples/targets/python/prepare.py", import.meta.url));
  const { status } = spawnSync("python3", [prepare, "--check"], { stdio: "ignore" });
  return status === 0 ? undefined : "its packages are missing: python3 examples/targets/python/prepare.py";
}

function missingForPytest(): string | undefined {
  const { status } = spawnSync("python3", ["-c", "import pytest, requests"], { stdio: "ignore" });
  return status === 0 ? undefined : "no pytest with requests: pip install pytest requests";
}

/** The launcher of JUnit in Maven's cache; undefined without it. */
export function junitHere(): string | undefined {
  const folder = join(homeFolder() ?? "/", ".m2/repository/org/junit/platform/junit-platform-console-standalone");
  return globSync("*/junit-platform-console-standalone-*.jar", { cwd: folder }).map((path) => join(folder, path))[0];
}

function missingForJunit(): string | undefined {
  const artifact = "org.junit.platform:junit-platform-console-standalone:1.13.4";
  return junitHere() === undefined ? `no JUnit: mvn dependency:get -Dartifact=${artifact}` : undefined;
}

const messageOf = (thrown: unknown): string => (thrown as Error).message;

const needs = {
  browser: {
    of: "pages in a browser",
    missing: () => (browserHere() === undefined ? `no Chromium: ${install("chromium", "--cask chromium")}` : undefined),
  },
  k6: {
    of: "scripts and runs of k6",
    missing: async () => {
      const { findK6 } = await import("../../packages/k6/src/instances/find-k6.ts");
      return findK6().then(() => undefined, messageOf);
    },
  },
  "k6-operator": {
    of: "manifests against the schema of k6-operator",
    missing: async () => {
      const { howToGetIt, schemaFile } = await import("../../packages/k6/test/kubernetes/published-schema.ts");
      return schemaFile() === undefined ? `no sources of k6-operator: ${howToGetIt}` : undefined;
    },
  },
  "kernel-link": {
    of: "links of the kernel",
    missing: async () => (await import("../../packages/runner/src/link/kinds/kernel.ts")).kind.unavailable(),
  },
  "user-namespaces": {
    of: "links without rights on the machine",
    missing: () => {
      const { error, stderr } = spawnSync("unshare", ["--user", "--map-root-user", "true"], { encoding: "utf8" });
      if (error !== undefined) return `no unshare: ${install("util-linux")}`;
      return stderr === "" ? undefined : stderr.trim();
    },
  },
  root: {
    of: "namespaces of the machine",
    missing: () => (process.getuid?.() === 0 ? undefined : "not root: run them as root"),
  },
  linux: { of: "Linux", missing: () => (process.platform === "linux" ? undefined : "this is another system") },
  git: { of: "git revisions", missing: () => lacking("git") },
  bash: { of: "shell commands", missing: () => lacking("bash") },
  grep: { of: "shell commands", missing: () => lacking("grep") },
  curl: { of: "calls by curl", missing: () => lacking("curl") },
  pgrep: { of: "killed processes", missing: () => lacking("pgrep", install("procps", "proctools")) },
  go: { of: "the server in Go", missing: missingForGo },
  java: { of: "servers in Java", missing: () => lacking("javac", install("default-jdk-headless", "openjdk")) },
  python: { of: "suites in Python", missing: () => missingTools(["python"])[0] },
  pytest: { of: "assertions in Python", missing: missingForPytest },
  "go-test": { of: "assertions in Go", missing: () => lacking("go", install("golang-go", "go")) },
  junit: { of: "assertions in Java", missing: missingForJunit },
  "python-target": { of: "the server in Python", missing: missingForPythonTarget },
  script: { of: "terminals", missing: () => lacking("script", install("bsdutils", "util-linux")) },
  taskset: {
    of: "pinned processes",
    missing: () =>
      process.platform === "linux" ? lacking("taskset", install("util-linux")) : "only Linux has taskset",
  },
  "two-cores": {
    of: "two cores",
    missing: () => (availableParallelism() < 2 ? "this machine has one: run them on another" : undefined),
  },
  "kernel-counts": {
    of: "what the kernel counts",
    missing: async () => {
      const { cpuMsOf } = await import("../../packages/runner/src/evidence/process-cpu.ts");
      const { MachineCounters } = await import("../../packages/runner/src/evidence/machine-counters.ts");
      const isCounted = (cpuMsOf(process.pid) ?? 0) > 0 && new MachineCounters().times() !== undefined;
      return isCounted ? undefined : "/proc has no schedstat or no stat: run them on Linux";
    },
  },
} satisfies Record<string, Need>;

export type NeedName = keyof typeof needs;

export const needNames: readonly string[] = Object.keys(needs);

/** Requirements that `.ci/run` has installed: a test must not be left out because of them. */
function required(): readonly string[] {
  const names = (process.env["ROUNDTRIP_REQUIRE"] ?? "").split(",").filter((name) => name !== "");
  const unknown = names.filter((name) => !needNames.includes(name));
  if (unknown.length === 0) return names;
  throw new Error(`ROUNDTRIP_REQUIRE: unknown ${unknown.join(", ")}; known are ${needNames.join(", ")}`);
}

export interface SkipOptions {
  readonly skip?: boolean;
  readonly meta?: { readonly leftOut: string };
}

/**
 * Options for tests with requirements: `describe("…", await needing("browser"), () => …)`. Empty if nothing is missing. Rejects for a missing
 * requirement that ROUNDTRIP_REQUIRE, a comma-separated list of names, demands.
 */
export async function needing(...names: readonly NeedName[]): Promise<SkipOptions> {
  const demanded = required();
  const found = await Promise.all(
    names.map(async (name) => ({ name, ...needs[name], why: await needs[name].missing() })),
  );
  const absent = found.filter(({ why }) => why !== undefined);
  for (const { name, of, why } of absent) {
    if (demanded.includes(name))
      throw new Error(`ROUNDTRIP_REQUIRE has ${name}, and tests of ${of} would be left out: ${why}`);
  }
  const [first] = absent;
  if (first === undefined) return {};
  return { skip: true, meta: { leftOut: `tests of ${first.of}, ${absent.map(({ why }) => why).join("; ")}` } };
}
