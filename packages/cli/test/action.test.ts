// The action: its steps in order as the hosting service runs them, on this checkout, against a service on loopback.
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { actionPath, readAction, runAction, type RanJob } from "./support/action-run.ts";
import { commentService, type CommentService } from "./support/comment-service.ts";
import { run } from "./support/shared-program.ts";

const marker = "<!-- roundtrip comparison roundtrip -->";
const event = { pull_request: { number: 7 } };

let workspace = "";

beforeAll(async () => {
  workspace = await mkdtemp(join(tmpdir(), "roundtrip-action-"));
  for (const name of ["base", "head"]) {
    const args = ["bench", "hello", "--stack", "floor", "--rounds", "1", "--calls", "20", "--quiet", "--out", name];
    // oxlint-disable-next-line no-await-in-loop
    const { status, stderr } = await run(args, { cwd: workspace });
    if (status !== 0) throw new Error(stderr);
  }
}, 60_000);

interface Given {
  readonly inputs?: Readonly<Record<string, string>>;
  readonly event?: unknown;
}

/** The whole action, but for installing, on two runs that are there. */
async function ran(service: CommentService, given: Given = {}): Promise<RanJob> {
  return runAction({
    room: mkdtempSync(join(tmpdir(), "roundtrip-action-job-")),
    workspace,
    inputs: { base: "base", head: "head", ...given.inputs },
    event: given.event ?? event,
    apiUrl: service.url,
    done: ["Install"],
  });
}

/** One script of the action by itself: its exit status and what it says. */
async function script(name: string, env: Readonly<Record<string, string>>): Promise<{ status: number; log: string }> {
  return new Promise((resolve) => {
    execFile(join(actionPath, ".ci/action/node"), [name], { env: { ...process.env, ...env } }, (error, out, said) =>
      resolve({ status: error === null ? 0 : Number(error.code), log: out + said }),
    );
  });
}

interface Comparison extends Given {
  readonly text?: string;
}

/** The step that comments, by itself. */
async function commented(
  service: CommentService,
  given: Comparison = {},
): Promise<{ status: number; log: string; text: string }> {
  const room = mkdtempSync(join(tmpdir(), "roundtrip-action-step-"));
  const text = given.text ?? "### Roundtrip: PASS\n";
  writeFileSync(join(room, "comparison.md"), text);
  writeFileSync(join(room, "event.json"), JSON.stringify(given.event ?? event));
  const outcome = await script("comment.ts", {
    COMPARISON_TEXT: join(room, "comparison.md"),
    GITHUB_API_URL: service.url,
    GITHUB_EVENT_PATH: join(room, "event.json"),
    GITHUB_REPOSITORY: "owner/repository",
    INPUT_COMMENT: given.inputs?.["comment"] ?? "true",
    INPUT_NAME: given.inputs?.["name"] ?? "roundtrip",
    INPUT_TOKEN: given.inputs?.["token"] ?? "a-token",
  });
  return { ...outcome, text };
}

describe("action.yml", () => {
  const { inputs, runs } = readAction();

  it("has the inputs that the program has flags for, each described and with a default", () => {
    expect(Object.keys(inputs)).toEqual(
      expect.arrayContaining([
        "base",
        "head",
        "budget",
        "tolerate",
        "detect",
        "strict",
        "stacks",
        "studies",
        "comment",
      ]),
    );
    for (const [name, { description, default: value }] of Object.entries(inputs)) {
      expect([name, description !== "", typeof value]).toEqual([name, true, "string"]);
    }
  });

  it("puts no input into a command line, where it could bring commands of its own", () => {
    expect(runs.steps.map((step) => step.run ?? "").filter((line) => line.includes("${{"))).toEqual([]);
  });

  it("uses actions of others by the hash of a commit alone", () => {
    const used = runs.steps.flatMap(({ uses }) => uses ?? []);
    expect(used.filter((name) => !/^[\w./-]+@[0-9a-f]{40}$/.test(name))).toEqual([]);
    expect(used).toHaveLength(1);
  });

  it("gives the token to the step that comments, and to no other", () => {
    const given = runs.steps.filter((step) => JSON.stringify(step).includes("inputs.token"));
    expect(given.map(({ name }) => name)).toEqual(["Comment on the pull request"]);
  });
});

describe("a pull request", () => {
  it("gets a summary, a comment, and a run directory to download; the last step tells the verdict", async () => {
    await using service = await commentService(["somebody else's"]);
    const { steps, summary, uploads, outputs } = await ran(service);
    expect(steps.map(({ status, log }) => (status === 0 ? 0 : log))).toEqual([0, 0, 0, 0]);
    expect(summary).toMatch(/^### Roundtrip: NO VERDICT\n/);
    expect(service.comments.map(({ body }) => body)).toEqual(["somebody else's", `${marker}\n${summary}`]);
    expect(outputs["verdict"]).toBe("none");
    expect(uploads).toEqual([expect.objectContaining({ name: "roundtrip", path: outputs["directory"] })]);
    expect(readdirSync(outputs["directory"] ?? "")).toEqual(
      expect.arrayContaining(["comparison.json", "comparison.junit.xml", "comparison.md", "plots"]),
    );
    expect(steps.at(-1)?.log).toBe("::notice title=Roundtrip::compared, and not judged\n");
  });

  it("of a fork, whose token may not write, gets the summary alone, and is not failed by that", async () => {
    await using service = await commentService();
    service.refuseWriting(403);
    const { steps, summary } = await ran(service, { inputs: { token: "s3cret-t0ken" } });
    expect(steps.map(({ status }) => status)).toEqual([0, 0, 0, 0]);
    expect(summary).toContain("### Roundtrip");
    expect(steps[2]?.log).toBe(
      "::notice title=Roundtrip::cannot write the comment: the service answered 403 (a run for a fork's pull request has no right to write): the summary of the run has the comparison\n",
    );
    expect([...service.tokens]).toEqual(["Bearer s3cret-t0ken"]);
    expect(JSON.stringify([steps, summary])).not.toContain("s3cret-t0ken");
  });
});

describe("a comparison that does not come about", () => {
  it("fails the last step alone; inputs that look like flags or commands are names, and the summary has the program's own words", async () => {
    await using service = await commentService();
    const hostile = { base: "--help", head: "$(touch pwned); `touch pwned`" };
    const { steps, summary, outputs } = await ran(service, { inputs: hostile });
    expect(steps.map(({ status }) => status)).toEqual([0, 0, 0, 1]);
    expect(summary).toMatch(/^### Roundtrip: no comparison\n/);
    expect(summary).toContain("is in no git repository");
    expect(existsSync(join(workspace, "pwned"))).toBe(false);
    expect(service.comments).toHaveLength(1);
    expect(outputs["verdict"]).toBe("none");
    expect(steps.at(-1)?.log).toContain("::error title=Roundtrip::nothing could be compared");
  });

  it("for an input that is wrong says which", async () => {
    await using service = await commentService();
    const { steps } = await ran(service, { inputs: { strict: "yes" } });
    expect(steps.map(({ status }) => status)).toEqual([1]);
    expect(steps[0]?.log).toContain('input strict is "yes", neither true nor false');
  });
});

describe.concurrent("the comment", () => {
  it("is one, however often there is a push; what is on a later page is found, what is quoted is not", async () => {
    const others = Array.from({ length: 130 }, (_, index) => (index === 3 ? `> ${marker}` : `comment ${index}`));
    await using service = await commentService([...others, `${marker}\nold`]);
    const { text } = await commented(service);
    expect(service.comments).toHaveLength(131);
    expect(service.comments.at(-1)?.body).toBe(`${marker}\n${text}`);
    expect(service.requests).toEqual([
      "GET /repos/owner/repository/issues/7/comments",
      "GET /repos/owner/repository/issues/7/comments",
      "PATCH /repos/owner/repository/issues/comments/131",
    ]);
  });

  it("of one comparison is not that of another: they are told apart by name", async () => {
    await using service = await commentService([`${marker}\nanother`]);
    await commented(service, { inputs: { name: "far --> away" } });
    expect(service.comments.map(({ body }) => body.split("\n")[0])).toEqual([
      marker,
      "<!-- roundtrip comparison far-away -->",
    ]);
  });

  it("that a service out of order does not take is a warning, and fails nothing", async () => {
    await using service = await commentService();
    service.refuseWriting(502);
    const { status, log } = await commented(service);
    expect(status).toBe(0);
    expect(log).toMatch(/^::warning title=Roundtrip::cannot write the comment: the service answered 502:/);
  });

  it("is not asked for by a run without a pull request, or when nobody wants it", async () => {
    await using service = await commentService();
    const pushed = await commented(service, { event: { ref: "refs/heads/main" } });
    expect(pushed).toMatchObject({ status: 0, log: expect.stringContaining("about no pull request") as string });
    expect(await commented(service, { inputs: { comment: "false" } })).toMatchObject({ status: 0, log: "" });
    expect(service.requests).toEqual([]);
  });

  it("that would be too long is cut before what is folded, and says where the rest is", async () => {
    await using service = await commentService();
    const text = `### Roundtrip: PASS\n\nshort\n<details>\n${"x".repeat(70_000)}\n</details>\n`;
    await commented(service, { text });
    expect(service.comments[0]?.body).toBe(
      `${marker}\n### Roundtrip: PASS\n\nshort\n\nThe rest is in the summary of the run.\n`,
    );
  });
});

describe.concurrent("the last step", () => {
  it.for([
    ["0", "pass", 0, "::notice title=Roundtrip::pass: nothing costs more\n"],
    [
      "0",
      "inconclusive",
      0,
      "::notice title=Roundtrip::inconclusive: it could not be told whether something costs more\n",
    ],
    ["1", "fail", 1, "::error title=Roundtrip::fail: head costs more than base\n"],
    ["2", "inconclusive", 1, "::error title=Roundtrip::inconclusive, and input strict asks for a verdict\n"],
    ["3", "none", 1, "::error title=Roundtrip::base and head do not answer alike, so nothing was measured\n"],
  ] as const)("after status %s and verdict %s ends with %d", async ([code, verdict, status, log]) => {
    const env = { COMPARISON_STATUS: code, COMPARISON_VERDICT: verdict };
    expect(await script("verdict.ts", env)).toEqual({ status, log });
  });
});
