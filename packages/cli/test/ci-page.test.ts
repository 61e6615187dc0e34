// The page about CI: its commands are those of the program, its workflow is one that GitHub takes, its tables say what there is.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { actionPath, readAction } from "./support/action-run.ts";
import { blocksOf } from "./support/page-section.ts";

const page = readFileSync(join(actionPath, "docs/ci.md"), "utf8");

interface Workflow {
  readonly on: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: {
    readonly compare: {
      readonly permissions: Readonly<Record<string, string>>;
      readonly steps: readonly { readonly uses: string; readonly with: Readonly<Record<string, unknown>> }[];
    };
  };
}

interface TwoJobs {
  readonly jobs: Readonly<
    Record<
      "compare" | "comment",
      {
        readonly permissions: Readonly<Record<string, string>>;
        readonly steps: readonly { readonly uses?: string; readonly with?: Readonly<Record<string, unknown>> }[];
      }
    >
  >;
}

const [workflow, twoJobs] = blocksOf(page, "yaml").map((text): unknown => parse(text)) as [Workflow, TwoJobs];

describe("the page about CI", () => {
  it("has a workflow with the least rights, with inputs that the action has, and actions by the hash of a commit", () => {
    expect(workflow.on).toBe("pull_request");
    expect(workflow.permissions).toEqual({});
    const { permissions, steps } = workflow.jobs.compare;
    expect(permissions).toEqual({ contents: "read", "pull-requests": "write" });
    expect(steps.map(({ uses }) => uses.replace(/@[0-9a-f]{40}$/, ""))).toEqual([
      "actions/checkout",
      "OWNER/roundtrip",
    ]);
    const { inputs } = readAction();
    expect(Object.keys(steps[1]?.with ?? {}).filter((name) => inputs[name] === undefined)).toEqual([]);
    expect(steps[0]?.with).toEqual({ "fetch-depth": 2, "persist-credentials": false });
  });

  it("has a layout whose job that measures may only read, and whose job that comments takes nothing of the pull request but its result", () => {
    const { compare, comment } = twoJobs.jobs;
    expect(compare.permissions).toEqual({ contents: "read" });
    expect(compare.steps.at(-1)?.with).toEqual({ comment: "false" });
    expect(comment.permissions).toEqual({ "pull-requests": "write" });
    expect(comment.steps.map(({ uses }) => uses)).toEqual([
      expect.stringMatching(/^actions\/download-artifact@[0-9a-f]{40}$/),
      undefined,
    ]);
    expect(comment.steps[0]?.with).toEqual({ name: readAction().inputs["name"]?.default });
  });

  it("names every input of the action, with its default", () => {
    const rows = page.split("\n").filter((line) => line.startsWith("| `"));
    for (const name of Object.keys(readAction().inputs)) {
      expect(rows.some((row) => row.split("|")[1]?.includes(`\`${name}\``))).toBe(true);
    }
  });
});
