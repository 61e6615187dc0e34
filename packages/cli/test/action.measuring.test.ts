// The action: its steps in order as the hosting service runs them, on this checkout, against a service on loopback.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { runAction, type RanJob } from "./support/action-run.ts";
import { commentService, type CommentService } from "./support/comment-service.ts";
import { gitAll } from "./support/git.ts";
import { goEnvironment } from "./support/go-target.ts";
import { inventoryRepository } from "./support/inventory-repository.ts";
import { run } from "./support/shared-program.ts";
import { writeFiles } from "./support/run-program.ts";

const marker = "<!-- roundtrip comparison roundtrip -->";
const event = { pull_request: { number: 7 } };

/** The service starts steps with bash. */
const withActions = await needing("bash", "git");

let workspace = "";

beforeAll(async () => {
  workspace = await mkdtemp(join(tmpdir(), "roundtrip-action-"));
  const args = ["bench", "hello", "--stack", "floor", "--rounds", "1", "--calls", "20", "--quiet", "--out", "base"];
  const { status, stderr } = await run(args, { cwd: workspace });
  if (status !== 0) throw new Error(stderr);
  cpSync(join(workspace, "base"), join(workspace, "head"), { recursive: true });
});

function repository(...commits: readonly Readonly<Record<string, string>>[]): string {
  const folder = mkdtempSync(join(tmpdir(), "roundtrip-action-repository-"));
  for (const [count, files] of commits.entries()) {
    writeFiles(folder, files);
    const first = count === 0 ? ["init -q -b main"] : [];
    gitAll(folder, ...first, "add -A", "commit -q --allow-empty -m 'as it is now'");
  }
  return folder;
}

interface Given {
  readonly workspace?: string;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** The whole action, but for installing; unless given otherwise, on two runs that are there. */
async function ran(service: CommentService, given: Given = {}): Promise<RanJob> {
  return runAction({
    folder: mkdtempSync(join(tmpdir(), "roundtrip-action-job-")),
    workspace: given.workspace ?? workspace,
    inputs: { base: "base", head: "head", ...given.inputs },
    event,
    env: given.env ?? {},
    apiUrl: service.url,
    done: ["Install"],
  });
}

/** Go builds without a network. Other tests make do with a shorter warm-up than the default. */
const goJob = { GOPROXY: goEnvironment.GOPROXY, GOFLAGS: goEnvironment.GOFLAGS, ROUNDTRIP_WARM_UP: "" };

/** The action with its default settings on the last commit of a repository with a server in Go. */
function judged(service: CommentService, commits: string): Promise<RanJob> {
  // More time than by default: on a busy machine, the same rounds take longer.
  const inputs = { base: "HEAD^1", head: "HEAD", budget: "8m" };
  return ran(service, { workspace: commits, inputs, env: goJob });
}

interface Kept {
  readonly cells: readonly { readonly task: string; readonly state: string }[];
  readonly doubts: readonly string[];
}

function kept(outputs: RanJob["outputs"]): Kept {
  return JSON.parse(readFileSync(join(outputs["directory"] ?? "", "comparison.json"), "utf8")) as Kept;
}

function tasksIn(outputs: RanJob["outputs"], state: string): readonly string[] {
  const { cells } = kept(outputs);
  return [...new Set(cells.filter((cell) => cell.state === state).map(({ task }) => task))].toSorted();
}

const patienceMs = 1_800_000;

const usualMs = 40;

describe("a pull request of a server in Go", await needing("bash", "git", "go"), () => {
  describe("with an operation that costs 10 % more", () => {
    let slower: string;
    let service: CommentService;
    let job: RanJob;
    beforeAll(async () => {
      service = await commentService(["somebody else's"]);
      slower = inventoryRepository(usualMs, [usualMs, 1.1 * usualMs]);
      job = await judged(service, slower);
    }, patienceMs);
    afterAll(() => service[Symbol.asyncDispose]());

    it("gets a summary, a comment, a run directory to download, and a last step that fails", () => {
      const { steps, summary, uploads, outputs } = job;
      expect(steps.map(({ status }) => status)).toEqual([0, 0, 0, 1]);
      expect(summary).toMatch(/^### Roundtrip: FAIL\n/);
      expect(summary).toContain("fails with a probability of at most 1 %");
      expect(service.comments.map(({ body }) => body)).toEqual(["somebody else's", `${marker}\n${summary}`]);
      expect(outputs["verdict"]).toBe("fail");
      expect(uploads).toEqual([expect.objectContaining({ name: "roundtrip", path: outputs["directory"] })]);
      expect(readdirSync(outputs["directory"] ?? "")).toEqual(
        expect.arrayContaining(["comment.md", "comparison.json", "comparison.junit.xml", "comparison.md", "plots"]),
      );
      expect(steps.at(-1)?.log).toMatch(/^::error title=Roundtrip::fail: .* costs more than /);
    });

    it("fails by that operation alone, when fresh processes in fresh folders have confirmed it", () => {
      const { steps, summary, outputs } = job;
      expect(steps[0]?.log).toContain("building base (");
      expect(steps[0]?.log).toMatch(/Measuring that again in fresh processes, up to \d+ rounds: gRPC \(command\) find/);
      expect(summary).toMatch(/gRPC.*find|find.*gRPC/);
      expect(kept(outputs)).toMatchObject({
        verdict: "fail",
        recheck: { isConfirmed: true },
      });
      expect(tasksIn(outputs, "worse")).toEqual(["find"]);
      expect(existsSync(join(outputs["directory"] ?? "", "confirmation", "run.json"))).toBe(true);
    });
  });
});

describe("a pull request", withActions, () => {
  it("cannot be passed by run directories in the place of revisions: two runs are shown, and not judged", async () => {
    await using service = await commentService();
    const { steps, summary, outputs } = await ran(service);
    expect(steps.map(({ status }) => status)).toEqual([0, 0, 0, 1]);
    expect(summary).toMatch(/^### Roundtrip: NO VERDICT\n/);
    expect(outputs["verdict"]).toBe("none");
    expect(steps.at(-1)?.log).toContain("::error title=Roundtrip::compared and not judged: inputs base and head have");
  });

  it("of a fork, whose token may not write, gets the summary alone, and is not failed by that", async () => {
    await using service = await commentService();
    service.refuseWriting(403);
    const { steps, summary } = await ran(service, { inputs: { token: "s3cret-t0ken" } });
    expect(steps.slice(0, 3).map(({ status }) => status)).toEqual([0, 0, 0]);
    expect(summary).toContain("### Roundtrip");
    expect(steps[2]?.log).toBe(
      "::notice title=Roundtrip::cannot write the comment: the service answered 403 (a run for a fork's pull request has no right to write): the summary of the run has the comparison\n",
    );
    expect([...service.tokens]).toEqual(["Bearer s3cret-t0ken"]);
    expect(JSON.stringify([steps, summary])).not.toContain("s3cret-t0ken");
  });
});

describe("a comparison that fails", withActions, () => {
  it("fails the last step alone; inputs that look like flags or commands are names, and the summary has the program's own words", async () => {
    await using service = await commentService();
    const hostile = { base: "--help", head: "$(touch pwned); `touch pwned`" };
    const { steps, summary, outputs } = await ran(service, { inputs: hostile });
    expect(steps.map(({ status }) => status)).toEqual([0, 0, 0, 1]);
    expect(summary).toMatch(/^### Roundtrip: no comparison\n/);
    expect(summary).toContain("is not in a git repository");
    expect(existsSync(join(workspace, "pwned"))).toBe(false);
    expect(service.comments).toHaveLength(1);
    expect(outputs["verdict"]).toBe("none");
    expect(steps.at(-1)?.log).toContain("::error title=Roundtrip::nothing could be compared");
  });

  it("keeps what a build says in the log, where it gives no orders; and a build receives nothing that changes later steps", async () => {
    await using service = await commentService();
    const builds = `
      const received = Object.keys(process.env).filter((name) => /^(GITHUB|ACTIONS|INPUT)_/.test(name));
      console.log("received: " + received.toSorted().join(" "));
      console.log("  ::error::an order");
      process.stdout.write("password 12345");
      process.exit(1);
    `;
    const broken = repository({ "build.mjs": builds }, {});
    const inputs = { base: "HEAD^1", head: "HEAD", build: `"${process.execPath}" build.mjs`, serve: "none {port}" };
    const { steps, summary } = await ran(service, { workspace: broken, inputs });
    expect(steps.map(({ status }) => status)).toEqual([0, 0, 0, 1]);
    const { log = "" } = steps[0] ?? {};
    expect(/received: (.*)/.exec(log)?.[1]?.split(" ")).toEqual([
      "GITHUB_ACTIONS",
      "GITHUB_ACTION_PATH",
      "GITHUB_API_URL",
      "GITHUB_EVENT_PATH",
      "GITHUB_REPOSITORY",
      "GITHUB_WORKSPACE",
    ]);
    const [, word = ""] = /^::stop-commands::(\w{32})$/m.exec(log) ?? [];
    const lines = log.split("\n");
    expect([lines[0], lines.at(-2)]).toEqual([`::stop-commands::${word}`, `::${word}::`]);
    expect(lines.findIndex((line) => line.includes("::error::an order"))).toBeGreaterThan(0);
    expect(log).toContain("password 12345");
    expect(summary).toBe(
      "### Roundtrip: no comparison\n\nThe program ended with status 69: one of the two does not build or start, " +
        "or something that this needs is not available.\n\nLook into the log of its step.\n",
    );
    expect(service.comments.map(({ body }) => body)).toEqual([`${marker}\n${summary}`]);
  });
});
