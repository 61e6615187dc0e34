// What BASE and HEAD may be called, and how unusable names and shares are refused.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { git, gitAll } from "./support/git.ts";
import { emptyFolder } from "./support/run-program.ts";
import { shopRepository } from "./support/shop-repository.ts";
import { run } from "./support/shared-program.ts";
import { refusal } from "./support/outcomes.ts";

const withGit = await needing("git");

function repository(): string {
  const folder = emptyFolder();
  const commits = ["first", "second"].map((message) => `commit -q --allow-empty -m ${message}`);
  gitAll(folder, "init -q -b main", ...commits);
  return folder;
}

/** A directory that looks like one of a run. */
function addRun(folder: string, name: string): void {
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, "run.json"), "{}");
}

function tasksOf(operation: string): string {
  return `name: shop\ntasks:\n  - name: find\n    variants:\n      single:\n        - operation: ${operation}\n`;
}

describe("a name", withGit, () => {
  it("that is a revision and a run directory is refused with both spellings: a checked-in folder does not choose what is compared", async () => {
    const folder = repository();
    for (const name of ["HEAD^1", "HEAD"]) addRun(folder, name);
    expect(refusal(await run(["compare", "HEAD^1", "HEAD"], { cwd: folder }))).toBe(
      "HEAD^1 is a run directory and a git revision: write ./HEAD^1 for the run directory, or HEAD^1^0 for the revision",
    );
    const asDirectories = await run(["compare", "./HEAD^1", "./HEAD"], { cwd: folder });
    expect(asDirectories.stderr).toMatch(/^roundtrip: cannot read (?:\.\/)?HEAD\^1\/run\.json/);
    const asRevisions = await run(["compare", "HEAD^1^0", "HEAD^0"], { cwd: folder });
    expect(asRevisions.stderr).toContain("say with --serve how one of its servers is started");
  });

  it("of one run directory alone goes with no revision", async () => {
    const folder = repository();
    addRun(folder, "monday");
    expect(refusal(await run(["compare", "monday", "HEAD"], { cwd: folder }))).toBe(
      "monday is a run directory and HEAD is not: give two run directories or two revisions",
    );
  });

  it("is needed where there is no parent commit", async () => {
    const folder = emptyFolder();
    git(folder, "init", "-q");
    const none = "there is no commit before HEAD: name the version to compare with";
    expect(refusal(await run(["compare"], { cwd: folder }))).toBe(none);
    git(folder, "commit", "-q", "--allow-empty", "-m", "first");
    expect(refusal(await run(["compare"], { cwd: folder }))).toBe(none);
    expect((await run(["compare"], { cwd: emptyFolder() })).stderr).toContain("is not in a git repository; give run");
  });

  it("of a commit that a shallow clone lacks is refused with how to fetch it", async () => {
    const clone = emptyFolder();
    git(clone, "clone", "-q", "--depth=1", pathToFileURL(repository()).href, ".");
    const { status, stderr } = await run(["compare"], { cwd: clone });
    expect(status).toBe(64);
    expect(stderr).toBe(
      "roundtrip: HEAD^1 is neither a git revision nor a run directory; this clone is shallow and has few commits: " +
        "git fetch --unshallow, or fetch-depth: 2 or more where a job checks it out\n",
    );
  });
});

describe("before anything is checked out or built", withGit, () => {
  it.each([
    [["--tasks", "tasks.yaml"], /^roundtrip: tasks\.yaml:3:1: .+\n$/],
    [["--tasks", "none.yaml"], /^roundtrip: cannot read the tasks in none\.yaml: .+\n$/],
    [["--serve", "token-env=NO_TOKEN_HERE"], /^roundtrip: the environment variable NO_TOKEN_HERE is empty; .+\n$/],
    [["--stack", "grcp"], /^roundtrip: unknown stack "grcp"; did you mean "grpc"\? .+\n$/],
    [["--out", "monday"], /^roundtrip: monday holds a run already; choose another --out, or remove it\n$/],
  ])("%j is refused", async (words, message) => {
    const cwd = repository();
    addRun(cwd, "monday");
    writeFileSync(join(cwd, "tasks.yaml"), "tasks:\n  - { name: find\n");
    const versions = ["HEAD^1", "HEAD", "--contract", "api", "--build", "false", "--serve", "server {port}"];
    const { status, stderr } = await run(["compare", ...versions, ...words], { cwd });
    expect(stderr).toMatch(message);
    expect(status).toBe(64);
  });
});

describe("the tasks", withGit, () => {
  it.each([
    ["GetThing", 64, /\nroundtrip: tasks\.yaml:.*GetThing/, false],
    ["GetItem", 69, /base \(main\) does not build/, true],
  ])(
    "of %s are checked against head's contract before anything is built",
    async (operation, status, message, isBuilt) => {
      const cwd = shopRepository();
      writeFileSync(join(cwd, "tasks.yaml"), tasksOf(operation));
      const words = ["compare", "main", "rename", "--tasks", "tasks.yaml", "--build", "false"];
      const ended = await run(words, { cwd });
      expect(ended.stderr).toMatch(message);
      expect(ended.stderr.includes("building")).toBe(isBuilt);
      expect(ended.status).toBe(status);
    },
  );
});

describe("a revision", withGit, () => {
  it.each([
    ["main", "main"],
    ["HEAD", "rename"],
    ["HEAD^1", "main"],
    ["rename~0", "rename"],
    ["v1", "v1"],
  ])("typed as %s is called %s", async (typed, label) => {
    const cwd = shopRepository();
    gitAll(cwd, "tag v1 main");
    const { stderr } = await run(["compare", typed, typed, "--build", "false"], { cwd });
    expect(stderr).toContain(`building base (${label})`);
  });
});

function failing(status: number): string {
  return `export default { contract: "proto", stack: "rest", build: "node missing-${status}.js", serve: "x {port}" };\n`;
}

describe("a version's own configuration", withGit, () => {
  it.each([
    ["has the build of each version", [], "node missing-3.js ended with"],
    ["yields to a typed flag", ["--build", "node missing-5.js"], "node missing-5.js ended with"],
  ])("%s", async (_name, flags, message) => {
    const cwd = shopRepository();
    gitAll(cwd, "checkout -q main");
    writeFileSync(join(cwd, "roundtrip.config.ts"), failing(3));
    gitAll(cwd, "commit -q -a -m build", "checkout -q rename");
    writeFileSync(join(cwd, "roundtrip.config.ts"), failing(4));
    const { status, stderr } = await run(["compare", "main", "rename", ...flags], { cwd });
    expect(stderr).toContain(message);
    expect(status).toBe(69);
  });
});

it.each([
  [["--alpha", "0.01%"], "alpha is 0.0001, and no such job could fail: at least 0.000123 can"],
  [["--alpha", "0"], "alpha is 0, not above 0"],
  [["--detect", "0"], "--detect must be above --tolerate (0.02), got 0"],
  [["--rounds", "7"], "--rounds must be from 8 to 200, got 7: fewer decide nothing"],
  [["--tolerate", "-1%"], "must be a share such as 2% or 0.02"],
])("a share %j is wrong usage", async (words, message) => {
  const { status, stderr } = await run(["compare", "a", "b", ...words]);
  expect(stderr).toContain(message);
  expect(status).toBe(64);
});
