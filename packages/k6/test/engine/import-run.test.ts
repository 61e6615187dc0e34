// Results of other machines become a run directory like any other, or are refused.
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readRun } from "@roundtrip/runs/read";
import { afterAll, beforeAll, expect, it } from "vitest";
import { importRun } from "../../src/engine/import-run.ts";
import { callLine, cellOf, fileOf, instanceLine, linesOf, planWith, t0Ms } from "../support/plans.ts";

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
    events: [{ kind: "imported" }],
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

const voids = (block: object) => [{ kind: "void-calls", round: 0, blocks: [{ armId: "a", calls: 4, ...block }] }];

it("leaves a cell out of which calls are lost or doubled, and keeps the others", async () => {
  const [first = cellOf(0)] = plan.cells;
  const lines = linesOf(plan).filter((line) => !line.includes('"at":"510"'));
  const { facts, samples } = await imported([file(lines)]);
  expect(facts.blocks.map(({ block }) => block)).toEqual([1]);
  expect(samples.length).toBe(4);
  expect(facts.events.slice(1)).toEqual(voids({ missing: 1, doubled: 0 }));
  const { facts: doubled } = await imported([file([...linesOf(plan), callLine({ cell: first, task: 0, atMs: 500 })])]);
  expect(doubled.events.slice(1)).toEqual(voids({ missing: 0, doubled: 1 }));
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
      "these results have no complete block: round 1 is void and left out: segment 1/2:1 began 90 ms after 0:1/2",
  });
});

it("refuses a round of which a segment is missing", async () => {
  const half = file(linesOf(plan, "0:1/2", (task) => task % 2 === 0));
  await expect(imported([half])).rejects.toMatchObject({
    code: "incomplete",
    message: expect.stringMatching(/did not run the whole plan: nothing covers 0\.5 to 1$/),
  });
});
