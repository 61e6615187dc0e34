// `roundtrip compare` on two versions of a server that is not of this project: its verdicts, and what can go wrong with versions. action.test.ts
// has two revisions whose head is slower.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { freePort } from "@roundtrip/runner/parts";
import { needing } from "../../../.ci/needs/needing.ts";
import { git, gitAll } from "./support/git.ts";
import { emptyFolder, start, until } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";
import { hasRound } from "./support/one-round.ts";

const greeter = fileURLToPath(new URL("../../runner/test/support/greeter-process.mjs", import.meta.url));
const node = process.execPath;

/** One stack and the smallest study: what a server of a few lines can answer. */
const few = ["--stack", "rest-express", "--study", "hello", "--seed", "1"];
/** Rounds decide, on however slow a machine. */
const patient = ["--budget", "4m"];
const patienceMs = 300_000;

function commands(base: string, head: string): readonly string[] {
  return [`cmd="${node}" "${greeter}" ${base}`, `cmd="${node}" "${greeter}" ${head}`, ...few];
}

const withGit = await needing("git");

/** A repository whose server takes longer in a branch. */
function repository(): string {
  const folder = emptyFolder();
  const writeServer = (spinUs: number): void => {
    const program = `process.argv.push("--spin-us", "${spinUs}");\nawait import("./greeter.mjs");\n`;
    writeFileSync(join(folder, "serve.mjs"), program);
  };
  copyFileSync(greeter, join(folder, "greeter.mjs"));
  writeFileSync(join(folder, "build.mjs"), "");
  writeServer(100);
  const first = ["init -q -b main", "add -A", "commit -q -m 'as it was'"];
  gitAll(folder, ...first, "branch stable", "checkout -q -b slower");
  writeServer(500);
  gitAll(folder, "add -A", "commit -q -m slower");
  return folder;
}

/** What is left of folders that versions were put into, and of git's knowledge of them. */
function leftOver(temporary: string, folder: string): readonly string[] {
  const trees = git(folder, "worktree", "list", "--porcelain")
    .split("\n")
    .filter((line) => line.startsWith("worktree "));
  return [...readdirSync(temporary).filter((name) => name.startsWith("roundtrip-compare-")), ...trees.slice(1)];
}

function aTemporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "roundtrip-temporary-"));
  mkdirSync(folder, { recursive: true });
  return folder;
}

describe("two git revisions", withGit, () => {
  let folder: string;
  const temporary = aTemporary();
  beforeAll(() => {
    folder = repository();
  });

  it("leave nothing behind when interrupted during measurement; the result is kept, and is inconclusive", async () => {
    writeFileSync(join(folder, "build.mjs"), "// changed, and in no commit\n");
    const words = ["compare", "stable", "HEAD", "--serve", `"${node}" serve.mjs`, ...few, "--out", "kept"];
    const running = start(words, { cwd: folder, env: { TMPDIR: temporary } });
    await until(() => (hasRound(join(folder, "kept")) ? true : undefined));
    running.signal("SIGINT");
    const { status, stdout } = await running.ended;
    expect(status).toBe(130);
    expect(stdout).toContain("INCONCLUSIVE");
    expect(stdout).toContain("interrupted");
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("the work tree has changes that are in no commit");
    expect(leftOver(temporary, folder)).toEqual([]);
    git(folder, "checkout", "-q", "--", "build.mjs");
  });
});

it("two folders are measured in copies of equally long names, and left as they are", async () => {
  const temporary = aTemporary();
  const [base, head] = ["Hello, World!", "Hi!"].map((greeting) => {
    const folder = emptyFolder();
    copyFileSync(greeter, join(folder, "greeter.mjs"));
    writeFileSync(join(folder, "greeting.txt"), greeting);
    const setGreeting = `process.argv.push("--greeting", readFileSync("greeting.txt", "utf8"));`;
    writeFileSync(
      join(folder, "serve.mjs"),
      `import { readFileSync } from "node:fs";\n${setGreeting}\nawait import("./greeter.mjs");\n`,
    );
    return folder;
  });
  const words = [`dir=${base}`, `dir=${head}`, "--serve", `"${node}" serve.mjs`];
  // Built in the copies alone: what is made there is nowhere else.
  const build = ["--build", `"${node}" -e "fs.writeFileSync('made', process.cwd())"`];
  const { status, stderr } = await run(["compare", ...words, ...build, ...few], { env: { TMPDIR: temporary } });
  expect(stderr).toContain('"message" is "Hello, World!" and "Hi!"');
  expect(status).toBe(3);
  expect([base, head].map((folder) => readdirSync(folder ?? "").toSorted())).toEqual([
    ["greeter.mjs", "greeting.txt", "serve.mjs"],
    ["greeter.mjs", "greeting.txt", "serve.mjs"],
  ]);
  expect(readdirSync(temporary)).toEqual([]);
});

describe("two commands", () => {
  it(
    "keep a loss that was found when a server cannot be started again to confirm it",
    async () => {
      const folder = emptyFolder();
      // After the eight rounds that a verdict takes at this level it starts no more.
      const program = `import { appendFileSync, readFileSync } from "node:fs";
      appendFileSync("starts", ".");
      if (readFileSync("starts").length > 8) throw new Error("no space is left");
      process.argv.push("--spin-us", "400");
      await import(${JSON.stringify(greeter)});`;
      writeFileSync(join(folder, "mortal.mjs"), program);
      const head = [`cmd="${node}" "${greeter}"`, `cmd="${node}" mortal.mjs`];
      const words = [
        "compare",
        ...head,
        ...few,
        ...patient,
        ..."--metric serverCpuMsPerTask --alpha 10% --json --out run".split(" "),
      ];
      const { status, stdout, stderr } = await run(words, { cwd: folder });
      expect(stderr).not.toContain("roundtrip: ");
      expect(JSON.parse(stdout)).toMatchObject({
        verdict: "inconclusive",
        reason: expect.stringMatching(
          /^a loss was found and not confirmed: the head REST \(command\) .*no space is left/,
        ),
        recheck: null,
      });
      expect(status).toBe(0);
      expect(existsSync(join(folder, "run", "comparison.json"))).toBe(true);
    },
    patienceMs,
  );

  it("are never passed when a server dies midway", async () => {
    // Whole in the first round.
    const mortal = `--dies-after 60 --healthy-starts 1 --starts "${join(emptyFolder(), "starts")}"`;
    const words = ["compare", ...commands("--spin-us 200", mortal), "--json", "--strict"];
    const { status, stdout } = await run([...words, "--budget", "20s"]);
    expect(status).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ verdict: "inconclusive" });
  });

  it("have an address each, though the kernel lets both listen at one", async () => {
    const port = await freePort("127.0.0.1");
    const program = join(emptyFolder(), "shared.mjs");
    writeFileSync(
      program,
      `import { createServer } from "node:http";
const hello = '{"message":"Hello, World!"}';
createServer((_, answer) => answer.setHeader("content-type", "application/json").end(hello)).listen({ port: ${port}, host: "127.0.0.1", reusePort: true });
console.log("http://127.0.0.1:${port}");`,
    );
    const command = `"${node}" "${program}"`;
    const { stderr } = await run(["compare", `cmd=${command}`, `cmd=${command}`, ...few]);
    expect(stderr).toMatch(/two servers listen at http:\S+ \((?:\w+ REST \(command\) server(?:, )?){2}\)/);
  });
});

it.each([
  [["cmd=x"], "cmd=x and HEAD are not of one kind: give two revisions, run directories, folders (dir=PATH)"],
  [["dir=/proc/nonexistent", "dir=."], "dir=/proc/nonexistent: there is no such folder"],
  [["cmd=a | b", "cmd=c"], '"|" is shell syntax, which is not supported here'],
  [["cmd=a", "cmd=c", "--build", "make"], "--build and --serve are for revisions and folders"],
  [["a", "b", "--serve", "fake"], "--serve fake compares the fakes of a --contract, without a command that serves"],
  [["a", "b", "--tolerate", "5%"], "--detect must be above --tolerate (0.05), got 0.05"],
  [["a", "b", "--study", "gaet"], 'did you mean "gate"'],
])("what cannot be compared %j is wrong usage", async (words, message) => {
  expect(await wrongUsage(words)).toContain(message);
});

async function wrongUsage(words: readonly string[]): Promise<string> {
  const { status, stderr } = await run(["compare", ...words]);
  expect(status).toBe(64);
  expect(stderr).not.toContain("    at ");
  return stderr;
}
