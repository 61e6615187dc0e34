// How busy the machine was: what each document says of it, on a quiet machine and on a busy one.
import { describe, expect, it } from "vitest";
import { loadFormat } from "../src/index.ts";
import type { ReportInput } from "../src/view/report-input.ts";
import { defaultInput } from "./support/fixture.ts";

const input = defaultInput();
const quiet = { cores: 2, othersCores: 0.04, stolenCores: 0, blocks: 312, lostCore: 0 };
const sentence = "other processes took 0.040 of 2 cores; no block lost its core";

async function rendered(name: string, analysis: Partial<ReportInput["analysis"]>): Promise<string> {
  const format = await loadFormat(name);
  const text = await format.render({ ...input, analysis: { ...input.analysis, ...analysis } });
  return text.replaceAll(/\s+/g, " ");
}

describe.each(["html", "markdown"])("the %s report", (name) => {
  it("says how busy the machine was, where that is known", async () => {
    expect(await rendered(name, { machineUse: quiet })).toContain(sentence);
    expect(await rendered(name, { machineUse: null })).not.toContain("other processes took");
  });
});

describe.each(["terminal", "summary"])("the %s report", (name) => {
  it("mentions it only for a busy machine", async () => {
    const message = `busy machine: ${sentence}`;
    expect(await rendered(name, { machineUse: quiet })).not.toContain("other processes took");
    expect(await rendered(name, { machineUse: quiet, warnings: [{ code: "busy", message }] })).toContain(message);
  });
});

it("the method of the HTML report says what becomes of blocks that lost their core", async () => {
  const [, said] = /By the kernel’s count (.*?)<\/li>/.exec(await rendered("html", { machineUse: quiet })) ?? [];
  expect(said).toContain(sentence);
  expect(said).toContain("is flagged, and its calls count.");
});
