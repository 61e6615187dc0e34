// A repository of somebody else, with a server in Go: docs/your-repository.md, followed in a copy of the example.
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createServer } from "node:net";
import { freePort } from "@roundtrip/runner/parts";
import { parse } from "shell-quote";
import { beforeAll, describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { actionPath } from "./support/action-run.ts";
import { gitAll } from "./support/git.ts";
import { goEnvironment } from "./support/go-target.ts";
import { compareOneRound, type KeptComparison } from "./support/one-round.ts";
import { withoutSection, blocksOf } from "./support/page-section.ts";
import { emptyFolder, start, until, type Running } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";
import { printed } from "./support/outcomes.ts";

const example = fileURLToPath(new URL("../../../examples/your-repository", import.meta.url));
const page = readFileSync(join(actionPath, "docs/your-repository.md"), "utf8");
const address = "127.0.0.1:50051";

const withGo = await needing("bash", "git", "go");

/** Go builds without a network, and without asking git, which may refuse the folder of another user. */
const env = { GOPROXY: goEnvironment.GOPROXY, GOFLAGS: goEnvironment.GOFLAGS };

function copied(): string {
  const folder = mkdtempSync(join(tmpdir(), "roundtrip-your-repository-"));
  cpSync(example, folder, { recursive: true });
  return folder;
}

/** A copy of the example with the branch main and this change of main.go on top. */
function repository(from: string, to: string): string {
  const folder = copied();
  gitAll(folder, "init -q -b main", "add -A", "commit -q -m 'as it is'", "checkout -q -b change");
  const program = join(folder, "main.go");
  const text = readFileSync(program, "utf8");
  if (!text.includes(from)) throw new Error(`main.go has no ${from}`);
  writeFileSync(program, text.replace(from, to));
  gitAll(folder, "commit -q -a -m change");
  return folder;
}

function tasksOf({ cells }: KeptComparison): readonly string[] {
  return [...new Set(cells.map(({ task }) => task))].toSorted();
}

async function go(cwd: string, ...words: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("go", words, { cwd, env: { ...process.env, ...env } });
  return stdout;
}

/** Works while a program runs. Rejects with what it printed if it ends before it is ready. */
async function beside(running: Running, ready: string, work: () => Promise<void>): Promise<void> {
  const early = running.ended.then(({ status, stderr }) => {
    throw new Error(`ended with status ${status}: ${stderr}`);
  });
  early.catch(() => undefined);
  const isReady = until(() => (running.output().stdout.includes(ready) ? true : undefined));
  await Promise.race([isReady, early]);
  try {
    await work();
  } finally {
    running.signal("SIGKILL");
    await running.ended;
  }
}

/** A port that is free, as the one after it is: of the fake's page. */
async function twoFreePorts(): Promise<number> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop
    const port = await freePort("127.0.0.1");
    const next = createServer();
    // oxlint-disable-next-line no-await-in-loop
    const isFree = await new Promise<boolean>((resolve) => {
      next.once("error", () => resolve(false)).listen(port + 1, "127.0.0.1", () => next.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}

/** The commands of the page, without comments and those of breaking-changes-page.test.ts. */
const commands = [
  ...new Set(
    blocksOf(withoutSection(page, "Does it break callers?"), "sh").flatMap((block) =>
      block
        .trim()
        .split("\n")
        .map((line) => line.replace(/ +# .*$/, "")),
    ),
  ),
];

it("shows the files that the example has", () => {
  const files = [...page.matchAll(/<!-- file: (\S+) -->\n\n```\w+\n(.*?)^```$/gms)];
  expect(files.map(([, path]) => path)).toEqual(["roundtrip.config.ts", "tasks.yaml"]);
  for (const [, path = "", text] of files) expect(readFileSync(join(example, path), "utf8")).toBe(text);
});

describe("the page about your repository", withGo, () => {
  let folder = "";
  let port = 0;
  beforeAll(async () => {
    folder = repository("page_size must be", "The page size must be");
    port = await twoFreePorts();
  });
  const here = (text: string): string => text.replaceAll("50051", String(port));

  const short = ["--rounds", "1", "--calls", "5", "--budget", "2m", "--quiet"];

  const runs: Readonly<Record<string, () => Promise<void>>> = {
    async "roundtrip compare main HEAD --serve fake"() {
      const { comparison, stderr } = await compareOneRound(["compare", "main", "HEAD", "--serve", "fake"], {
        cwd: folder,
        env,
      });
      expect(stderr).not.toContain("building");
      expect(tasksOf(comparison)).toEqual(["browse", "find", "order"]);
    },
    async "roundtrip check --against main"() {
      expect(await run(["check", "--against", "main"], { cwd: folder })).toMatchObject({ status: 0, stderr: "" });
    },
    async "roundtrip bench"() {
      const words = ["bench", ...short, "--out", join(emptyFolder(), "run")];
      const stdout = printed(await run(words, { cwd: folder, env }));
      expect(stdout).toContain("gRPC (command)");
    },
    async "roundtrip bench --serve fake"() {
      const words = ["bench", "--serve", "fake", ...short, "--out", join(emptyFolder(), "run")];
      expect(await run(words, { cwd: folder })).toMatchObject({ status: 0, stderr: "" });
    },
    async "roundtrip fake --port 50051"() {
      const fake = start(["fake", "--port", String(port)], { cwd: folder });
      await beside(fake, "Ctrl-C", async () => {
        const costs = await go(folder, "run", "./client", "-server", here(address));
        expect(costs).toMatch(/^\S+ costs -?\d+ cents$/m);
      });
    },
    async "roundtrip export k6 --out k6"() {
      const { status, stderr } = await run(["export", "k6", "--out", "k6"], { cwd: folder });
      expect({ status, stderr }).toMatchObject({ status: 0 });
      expect(readFileSync(join(folder, "k6", "plan.json"), "utf8")).toContain("inventory.v1.Inventory");
    },
    async "bin/server -port 50051 &"() {
      await go(folder, "build", "-o", "bin/server", ".");
      const shell = `bin/server -port ${port} & server=$!; trap 'kill $server' EXIT; "$@"`;
      const target = ["--target", here("grpc=http://127.0.0.1:50051"), "--disposable"];
      const words = ["bench", ...target, ...short, "--out", join(emptyFolder(), "run")];
      expect(await start(words, { cwd: folder, shell }).ended).toMatchObject({ status: 0 });
    },
  };

  it.each(Object.keys(runs))("has a command that works: %s", { timeout: 600_000 }, async (command) => {
    expect(commands).toContain(command);
    await runs[command]?.();
  });

  it("has no other commands", () => {
    const others = [
      // What the action runs: action.measuring.test.ts.
      "roundtrip compare main HEAD",
      "javac -d bin other-languages/Server.java",
      'roundtrip compare --stack rest "cmd=java -cp bin Server {port}" "cmd=python3 other-languages/server.py {port}"',
      "roundtrip bench --target grpc=http://127.0.0.1:50051 --disposable",
      `go run ./client -server ${address}`,
    ];
    expect(commands.filter((command) => runs[command] === undefined)).toEqual(others);
  });
});

describe("the servers in Java and Python", await needing("java", "python"), () => {
  it("answer alike, and are compared by the command of their page", { timeout: 600_000 }, async () => {
    const folder = copied();
    const [, command = ""] = /^(roundtrip compare --stack rest .*)$/m.exec(page) ?? [];
    const [, build = ""] = /^(javac .*)$/m.exec(page) ?? [];
    await promisify(execFile)("sh", ["-c", build], { cwd: folder });
    const { comparison, stderr } = await compareOneRound(parse(command).slice(1).map(String), { cwd: folder });
    expect(stderr).not.toContain("roundtrip: ");
    expect(tasksOf(comparison)).toEqual(["browse", "find", "order"]);
  });
});
