// The plan as a file: what is written is read, and what somebody changed is not.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { plansFrom, planText, readPlans, sealed } from "../../src/plan/plan-file.ts";
import type { K6Plan } from "../../src/plan/k6-plan.ts";
import { cellOf, planWith } from "../support/plans.ts";

const folder = mkdtempSync(join(tmpdir(), "k6-plan-"));
afterAll(() => rmSync(folder, { recursive: true }));

function plan(changes: Partial<K6Plan> = {}): K6Plan {
  const { planHash: _, ...rest } = planWith(changes);
  return sealed(rest);
}

describe("a plan", () => {
  it("is read as it was written", async () => {
    writeFileSync(join(folder, "plan.json"), planText([plan()]));
    expect(await readPlans(folder)).toEqual([plan()]);
  });

  it("stands beside those of other rounds, and what they share stands there once", () => {
    const rounds = [plan(), plan({ round: 1, cells: [cellOf(0), cellOf(1, { tasks: 5 })] })];
    const text = planText(rounds);
    expect(plansFrom(text, "there")).toEqual(rounds);
    expect(text.split('"arms"')).toHaveLength(2);
  });

  it.each([
    [
      "was changed by hand",
      planText([plan()]).replace('"tasks":4', '"tasks":5'),
      "there was changed after it was written: export it again",
    ],
    ["is no JSON", "{", /^there is not JSON: /],
    ["is not a plan", "{}", "there is not a plan; roundtrip export k6 writes one"],
    ["is null", "null", "there is not a plan; roundtrip export k6 writes one"],
    ["has no round", '{"formatVersion":1,"rounds":[]}', "there is not a plan; roundtrip export k6 writes one"],
    [
      "is of a later version",
      '{"formatVersion":2}',
      "there is a plan of version 2, not 1; roundtrip export k6 writes one",
    ],
  ])("is refused when it %s", (_, text, message) => {
    expect(() => plansFrom(text, "there")).toThrow(expect.objectContaining({ code: "unreadable" }));
    expect(() => plansFrom(text, "there")).toThrow(message);
  });

  it("that is missing is reported with its path", async () => {
    await expect(readPlans(join(folder, "nowhere"))).rejects.toMatchObject({
      code: "unreadable",
      message: `cannot read the plan ${join(folder, "nowhere", "plan.json")}: no such file or directory`,
    });
  });
});
