// Results of other machines become a run directory like any other, or are refused.
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readRun } from "@roundtrip/runs/read";
import { afterAll, beforeAll, expect, it } from "vitest";
import { importRun } from "../../src/engine/import-run.ts";
import { armWith, callLine, cellOf, fileOf, instanceLine, linesOf, planWith, t0Ms } from "../support/plans.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "k6-import-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

let made = 0;
function file(lines: readonly string[]): string {
  made += 1;
  const path = join(folder, `${made}.json`);
  writeFileSync(path, fileOf(lines));
  return path;
}

const plan = planWith();
const command = "roundtrip bench --engine k6 --import";

async function imported(files: readonly string[], plans = [plan]): Promise<Awaited<ReturnType<typeof readRun>>> {
  made += 1;
  const directory = join(folder, `run-${made}`);
  await importRun({ files, plans, directory: () => directory, command });
  const schema = JSON.parse(
    readFileSync(new URL("../../../../schema/run.v1.schema.json", import.meta.url), "utf8"),
  ) as object;
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
  addFormats.default(ajv);
  const validate = ajv.compile(schema);
  validate(JSON.parse(readFileSync(join(directory, "run.json"), "utf8")));
  expect(validate.errors).toBeNull();
  return readRun(directory);
}

it("keeps the schema of runs, names the generator and states that answers were not compared", async () => {
  const halves = ["0:1/2", "1/2:1"].map((segment, half) => file(linesOf(plan, segment, (task) => task % 2 === half)));
  const { facts, samples } = await imported(halves);
  expect(samples.length).toBe(8);
  expect(facts).toMatchObject({
    seed: 7,
    command,
    status: "complete",
    roundsDone: 1,
    startedAt: new Date(t0Ms).toISOString(),
    environment: {
      generators: [
        { name: "k6", version: "v1.8.1", segment: "0:1/2" },
        { name: "k6", version: "v1.8.1", segment: "1/2:1" },
      ],
    },
    warnings: [{ code: "imported" }, { code: "k6-clocks" }],
    verification: { responsesCompared: 0 },
  });
  expect(facts.arms.map(({ id }) => id)).toEqual(["a"]);
  expect(facts.blocks[0]).toMatchObject({
    armId: "a",
    round: 0,
    block: 0,
    tasks: 4,
    calls: 4,
    serverCpuMs: null,
    clientCpuMs: null,
  });
  // From T0, to the microsecond.
  expect(samples.startedAtNs[0]).toBe(500e6);
  expect(samples.endedAtNs[0]).toBe(501.5e6);
});

it("takes each T0 as a round, also of one plan that was run twice", async () => {
  const again = linesOf(plan).with(0, instanceLine(plan, "0:1", t0Ms + 600_000));
  const { facts, samples } = await imported([file(again), file(linesOf(plan))]);
  expect(facts.roundsDone).toBe(2);
  expect(facts.blocks.map(({ round, block }) => [round, block])).toEqual([
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ]);
  expect(samples.startedAtNs[8]).toBe(600e9 + 500e6);
});

it("leaves a cell out of which calls are lost or doubled, and keeps the others", async () => {
  const [first = cellOf(0)] = plan.cells;
  const lines = linesOf(plan).filter((line) => !line.includes('"at":"510"'));
  const { facts, samples } = await imported([file(lines)]);
  expect(facts.blocks.map(({ block }) => block)).toEqual([1]);
  expect(samples.length).toBe(4);
  expect(facts.warnings.find(({ code }) => code === "k6-void")?.message).toBe(
    "round 1: a block is void and left out, because calls were lost or doubled: a, 1 of 4 calls are missing",
  );
  const { facts: doubled } = await imported([file([...linesOf(plan), callLine({ cell: first, task: 0, atMs: 500 })])]);
  expect(doubled.warnings.find(({ code }) => code === "k6-void")?.message).toMatch(/a, 1 of 4 calls were made twice$/);
});

/** Two halves of a plan, each with such a clock offset. */
function halvesWith(of: typeof plan, clocks: readonly (string | undefined)[], at = t0Ms): readonly string[] {
  return clocks.map((clock, half) => {
    const [segment = ""] = [["0:1/2", "1/2:1"][half]];
    const [instance = "", ...lines] = linesOf(of, segment, (task) => task % 2 === half);
    const began = instance.replace(String(t0Ms), String(at));
    return file([
      clock === undefined ? began : began.replace('"version"', `"clock_ms":"${clock}","version"`),
      ...lines,
    ]);
  });
}

it("leaves a round out whose clocks were apart, says how far each was, and keeps the others", async () => {
  const later = t0Ms + 600_000;
  const { facts } = await imported([
    ...halvesWith(plan, ["-2.4", "3000.4"]),
    ...halvesWith(plan, ["-2.4", "9"], later),
  ]);
  expect(facts.blocks.map(({ round }) => round)).toEqual([1, 1]);
  expect(facts.warnings.map(({ code, message }) => [code, message])).toContainEqual([
    "k6-apart",
    "round 1 is void and left out: clocks were 3,003 ms apart, more than 50 ms: that of segment 1/2:1 was 3,000 ms ahead of its server's, that of 0:1/2 2 ms behind its server's; set them by NTP",
  ]);
});

it("leaves a round out of which one instance was given no processor in time", async () => {
  const spread = planWith({ cells: [cellOf(0, { arrivalsMs: [0, 10, 20, 30] }), cellOf(1)] });
  const [cell = cellOf(0)] = spread.cells;
  const late = [1, 3].map((task) => callLine({ cell, task, atMs: cell.beginsMs + 10 * task + 90 }));
  const files = [
    file(linesOf(spread, "0:1/2", (task) => task % 2 === 0)),
    file([instanceLine(spread, "1/2:1"), ...late]),
  ];
  await expect(imported(files, [spread])).rejects.toMatchObject({
    code: "incomplete",
    message:
      "these results have no complete block: round 1 is void and left out: segment 1/2:1 began 90 ms after 0:1/2, more than 50 ms: it had to wait for a core",
  });
});

async function codesOf(files: readonly string[]): Promise<readonly string[]> {
  return (await imported(files)).facts.warnings.map(({ code }) => code);
}

it("warns if the offset of clocks is unknown, and not if it is known or there is one clock", async () => {
  expect(await codesOf(halvesWith(plan, ["1.5", undefined]))).toContain("k6-clocks");
  expect(await codesOf(halvesWith(plan, ["1.5", "-8"]))).not.toContain("k6-clocks");
  expect(await codesOf([file(linesOf(plan))])).not.toContain("k6-clocks");
});

const [arm = armWith("a")] = plan.arms;
const others: readonly (readonly [string, Partial<typeof plan>, string])[] = [
  ["of another contract", { contractHash: "decaf" }, "the contract is c0ffee and decaf"],
  [
    "with the same arms on another server",
    { arms: [{ ...arm, facts: { ...arm.facts, target: "http://b.example" } }] },
    'of a, target is null and "http://b.example"',
  ],
  [
    "with the same arms asking something else",
    { arms: [{ ...arm }], requests: [{ method: "GET", path: "/v1/other", headers: {}, body: "" }] },
    "of a, requests differ",
  ],
];
it.each(others)("refuses results %s beside these", async (_, changes, why) => {
  const other = planWith({ planHash: "123456789abc", ...changes });
  const files = [plan, other].map((one) => file(linesOf(one)));
  const [, second = ""] = files;
  const again = linesOf(other).with(0, instanceLine(other, "0:1", t0Ms + 600_000));
  writeFileSync(second, fileOf(again));
  await expect(imported(files, [plan, other])).rejects.toMatchObject({
    code: "other-plan",
    message: `${files.join(" and ")} are not of one run: ${why}; import them separately`,
  });
});

it("takes results of two plans that differ in their order, and number their requests otherwise", async () => {
  const [first = cellOf(0), second = cellOf(1)] = plan.cells;
  const other = planWith({
    planHash: "123456789abc",
    seed: 8,
    cells: [second, first],
    arms: [{ ...arm, steps: [{ requests: [1] }] }],
    requests: [
      { method: "POST", path: "/v1/hello", headers: {}, body: "" },
      { like: 0, but: { method: "GET" } },
    ],
  });
  const again = linesOf(other).with(0, instanceLine(other, "0:1", t0Ms + 600_000));
  const { facts } = await imported([file(linesOf(plan)), file(again)], [plan, other]);
  expect(facts.roundsDone).toBe(2);
});

it("refuses a round of which a segment lacks, and says when another began too late for it", async () => {
  const half = file(linesOf(plan, "0:1/2", (task) => task % 2 === 0));
  await expect(imported([half])).rejects.toMatchObject({
    code: "incomplete",
    message: expect.stringMatching(/did not run the whole plan: nothing covers 0\.5 to 1$/),
  });
  const later = file([instanceLine(plan, "1/2:1", t0Ms + 10_000)]);
  await expect(imported([half, later])).rejects.toMatchObject({
    code: "incomplete",
    message: expect.stringMatching(
      /began 10 s apart: resume all instances of a round at once, or give each the same T0$/,
    ),
  });
});

it("refuses the same results twice", async () => {
  const once = file(linesOf(plan));
  await expect(imported([once, once])).rejects.toMatchObject({
    code: "incomplete",
    message: expect.stringMatching(/segment 0:1 overlaps another$/),
  });
});
