// Arms whose load was not kept have no latency: each kind of table says so on their row, and explains the sign below.
import type { Scalar } from "@roundtrip/runs";
import { expect, test } from "vitest";
import { loadFormat, type ReportInput } from "../src/index.ts";
import { costedArm, type CostedArm } from "./support/arms.ts";
import { inputFrom } from "./support/fixture.ts";

const load = { loop: "open", pacer: "recorded" } as const;

function armOf(study: string, title: string, factors: Readonly<Record<string, Scalar>>): CostedArm {
  return costedArm({ study, stack: title.toLowerCase(), title, variant: "single", factors, load });
}

/** The last of these arms is void; calls report how long they were served. */
function withVoid(arms: readonly CostedArm[]): ReportInput {
  const input = inputFrom(arms, 60);
  const voided = input.analysis.arms.at(-1)?.id ?? "";
  const served = input.analysis.summaries
    .filter(({ metric }) => metric === "serverCpuMsPerTask")
    .map((row) => ({ ...row, metric: "serviceMs" }) as const);
  const kept = input.analysis.summaries.filter(({ armId, metric }) => armId !== voided || metric !== "latencyMs");
  const analysis = {
    ...input.analysis,
    summaries: [...kept, ...served],
    distributions: input.analysis.distributions.filter(({ armId }) => armId !== voided),
    voidCells: [{ armId: voided, codes: ["late" as const], reasons: ["the generator fell behind"] }],
  };
  return { ...input, analysis };
}

const hello = withVoid([armOf("hello", "gRPC", {}), armOf("hello", "REST", {})]);
const sweep = withVoid([1, 2, 3].map((attributes) => armOf("facade", "gRPC", { attributes })));

async function tableOf(input: ReportInput, caption: string): Promise<string> {
  const text = await (await loadFormat("markdown")).render(input);
  const begin = text.indexOf(caption);
  expect(begin).toBeGreaterThanOrEqual(0);
  return text.slice(begin).split("\n\n").slice(0, 4).join("\n\n");
}

test("the table of latency and cost says void, and keeps what the arm cost", async () => {
  const table = await tableOf(hello, "latency and cost per task");
  expect(table).toMatch(/\| REST‡ *\| *void *\|.*\b3\.97\b/);
  expect(table).not.toMatch(/\| gRPC *\| *void/);
});

test("the table of where the time goes says void, and keeps how long calls were served", async () => {
  const table = await tableOf(hello, "where the time goes");
  expect(table).toMatch(/\| REST, recorded‡ *\| *void *\|.*\b3\.97\b/);
  expect(table).toContain("‡ Void:");
});

test("a sweep says void at the value at which the load was not kept", async () => {
  const table = await tableOf(sweep, "mean latency per task");
  expect(table).toMatch(/\| gRPC\S* *\| *[\d.]+ *\| *[\d.]+ *\| *void *\|/);
});
