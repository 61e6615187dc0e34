// The action: its inputs, and the steps that report the outcome of a comparison, each by itself: the comment, against a service on loopback, and the verdict.
import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { actionPath, readAction } from "./support/action-run.ts";
import { commentService, type CommentService } from "./support/comment-service.ts";

const marker = "<!-- roundtrip comparison roundtrip -->";
const event = { pull_request: { number: 7 } };

/** One script of the action by itself: its exit status and what it says. */
async function script(name: string, env: Readonly<Record<string, string>>): Promise<{ status: number; log: string }> {
  return new Promise((resolve) => {
    execFile(join(actionPath, ".ci/action/node"), [name], { env: { ...process.env, ...env } }, (error, out, said) =>
      resolve({ status: error === null ? 0 : Number(error.code), log: out + said }),
    );
  });
}

interface Comparison {
  readonly inputs?: Readonly<Record<string, string>>;
  readonly event?: unknown;
  readonly text?: string;
}

/** The step that comments, by itself. */
async function commented(
  service: CommentService,
  given: Comparison = {},
): Promise<{ status: number; log: string; text: string }> {
  const folder = mkdtempSync(join(tmpdir(), "roundtrip-action-step-"));
  const text = given.text ?? "### Roundtrip: PASS\n";
  writeFileSync(join(folder, "comparison.md"), text);
  writeFileSync(join(folder, "event.json"), JSON.stringify(given.event ?? event));
  const outcome = await script("comment.ts", {
    COMPARISON_TEXT: join(folder, "comparison.md"),
    GITHUB_API_URL: service.url,
    GITHUB_EVENT_PATH: join(folder, "event.json"),
    GITHUB_REPOSITORY: "owner/repository",
    INPUT_COMMENT: given.inputs?.["comment"] ?? "true",
    INPUT_NAME: given.inputs?.["name"] ?? "roundtrip",
    INPUT_TOKEN: given.inputs?.["token"] ?? "a-token",
  });
  return { ...outcome, text };
}

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

  it("by a person is left unchanged, whatever it begins with: its author could rewrite the result", async () => {
    const theirs = `${marker}\nPASS, believe me`;
    await using service = await commentService([{ body: theirs, by: "User" }]);
    const { text } = await commented(service);
    expect(service.comments.map(({ body }) => body)).toEqual([theirs, `${marker}\n${text}`]);
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
    ["0", "pass", 0, "::notice title=Roundtrip::pass: Not judged, but changed: p99.\n"],
    ["0", "inconclusive", 0, "::notice title=Roundtrip::inconclusive: Not judged, but changed: p99.\n"],
    ["1", "fail", 1, "::error title=Roundtrip::fail: Not judged, but changed: p99.\n"],
    [
      "2",
      "inconclusive",
      1,
      "::error title=Roundtrip::inconclusive, and input strict asks for a verdict: Not judged, but changed: p99.\n",
    ],
    [
      "0",
      "none",
      1,
      "::error title=Roundtrip::compared and not judged: inputs base and head have to be git revisions, and these are run directories of different jobs\n",
    ],
    [
      "3",
      "none",
      1,
      "::error title=Roundtrip::base and head do not answer alike, so nothing was measured; if that is intended, name the task in answersMayDiffer of roundtrip.config.ts\n",
    ],
  ] as const)("after status %s and verdict %s ends with %d", async ([code, verdict, status, log]) => {
    const headline = verdict === "none" ? "" : "Not judged, but changed: p99.";
    const env = { COMPARISON_STATUS: code, COMPARISON_VERDICT: verdict, COMPARISON_HEADLINE: headline };
    expect(await script("verdict.ts", env)).toEqual({ status, log });
  });
});

describe("action.yml", () => {
  const { runs } = readAction();

  it("puts no input into a command line, where it could inject commands", () => {
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
