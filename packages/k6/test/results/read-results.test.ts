// Files of k6's output become the calls of rounds, or are refused in words that say where and why.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readResults } from "../../src/results/read-results.ts";
import {
  armWith,
  callLine,
  cellOf,
  fileOf,
  instanceLine,
  linesOf,
  planWith,
  pointLine,
  t0Ms,
} from "../support/plans.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "k6-results-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function file(content: string | Buffer, suffix = ".json"): string {
  files += 1;
  const path = join(folder, `${files}${suffix}`);
  writeFileSync(path, content);
  return path;
}

const plan = planWith();
const [first] = plan.cells;
const cell = first ?? cellOf(0);

test("every call of two instances stands at its task and step, with when it was sent and how long it took", async () => {
  const two = planWith({ arms: [armWith("a", 2)] });
  const { rounds, cuts } = await readResults(
    [
      file(fileOf(linesOf(two, "0:1/2", (task) => task % 2 === 0))),
      file(fileOf(linesOf(two, "1/2:1", (task) => task % 2 === 1))),
    ],
    [two],
  );
  expect(cuts).toEqual([]);
  expect(rounds).toHaveLength(1);
  const [round] = rounds;
  expect(round?.t0Ms).toBe(t0Ms);
  expect(round?.instances.map(({ segment, version }) => [segment, version])).toEqual([
    ["0:1/2", "v1.8.1"],
    ["1/2:1", "v1.8.1"],
  ]);
  const calls = round?.calls;
  expect([...(calls?.atMs ?? [])]).toEqual(
    two.cells.flatMap(({ beginsMs }) =>
      [0, 1, 2, 3].flatMap((task) => [0, 2].map((more) => beginsMs + 10 * task + more)),
    ),
  );
  expect([...(calls?.instance ?? [])].slice(0, 8)).toEqual([0, 0, 1, 1, 0, 0, 1, 1]);
  expect(calls?.sums[0]).toEqual({ bytesSent: 400, bytesReceived: 1_000, countedTasks: 4, doubled: 0 });
});

test("what a call reports beside its time is kept: its outcome, a connection opened for it, its server's times, when it was due", async () => {
  const more = { opened: "1", queue: "0.25", service: "2.5", due: "499.5" };
  const lines = [instanceLine(plan), callLine({ cell, task: 1, atMs: 500, outcome: "UNAVAILABLE", more })];
  const { rounds } = await readResults([file(fileOf(lines))], [plan]);
  const calls = rounds[0]?.calls;
  expect(calls?.outcomes[calls.outcome[1] ?? 0]).toBe("UNAVAILABLE");
  expect([calls?.opened[1], calls?.queueMs[1], calls?.serviceMs[1], calls?.dueMs[1]]).toEqual([1, 0.25, 2.5, 499.5]);
  expect(calls?.atMs[0]).toBeNaN();
});

test("bytes of an iteration are those of the tasks that it says, and of none with a connection's begin", async () => {
  const tags = { scenario: cell.name };
  const lines = [
    instanceLine(plan),
    pointLine("data_sent", 900, tags, { tasks: "0" }),
    pointLine("data_received", 1_900, tags, { tasks: "0" }),
    pointLine("data_sent", 200, tags, { tasks: "2" }),
    pointLine("data_received", 500, tags, { tasks: "2" }),
    pointLine("data_sent", 100, tags),
    pointLine("data_received", 250, tags),
  ];
  const { rounds } = await readResults([file(fileOf(lines))], [plan]);
  expect(rounds[0]?.calls.sums[0]).toMatchObject({ bytesSent: 300, bytesReceived: 750, countedTasks: 3 });
});

test("files one after the other in one file, packed by gzip or not, are read like files of their own", async () => {
  const halves = ["0:1/2", "1/2:1"].map((segment, half) => fileOf(linesOf(plan, segment, (task) => task % 2 === half)));
  for (const path of [file(halves.join("")), file(gzipSync(halves.join("")), ".json.gz")]) {
    const { rounds } = await readResults([path], [plan]);
    expect(rounds[0]?.instances).toHaveLength(2);
    expect([...(rounds[0]?.calls.atMs ?? [Number.NaN])].some(Number.isNaN)).toBe(false);
  }
});

test("instances with another T0 are a round of their own, in the order in which they began", async () => {
  const later = fileOf([instanceLine(plan, "0:1", t0Ms + 10_000)]);
  const { rounds } = await readResults([file(later), file(fileOf(linesOf(plan)))], [plan]);
  expect(rounds.map((round) => round.t0Ms - t0Ms)).toEqual([0, 10_000]);
});

test("a last line that is cut off is warned of with its number, and what stands before it is kept", async () => {
  const whole = fileOf([instanceLine(plan), callLine({ cell, task: 0, atMs: 500 })]);
  const cut = whole + callLine({ cell, task: 1, atMs: 510 }).slice(0, 60);
  const path = file(cut);
  const { rounds, cuts } = await readResults([path], [plan]);
  expect(cuts).toEqual([{ kind: "results-cut", file: path, line: 3 }]);
  expect(rounds[0]?.calls.atMs[0]).toBe(500);
});

test("of a packed file that is cut off, what can be unpacked is kept", async () => {
  const more = Array.from({ length: 20_000 }, (_, index) =>
    pointLine("http_req_waiting", Math.sin(index), { scenario: "c0000" }),
  );
  const packed = gzipSync(fileOf([instanceLine(plan), callLine({ cell, task: 0, atMs: 500 }), ...more]));
  const { rounds, cuts } = await readResults([file(packed.subarray(0, packed.length / 2), ".json.gz")], [plan]);
  expect(cuts).toMatchObject([{ kind: "results-cut" }]);
  expect(rounds[0]?.calls.atMs[0]).toBe(500);
});

const call = callLine({ cell, task: 0, atMs: 500 });
const faults: readonly (readonly [string, readonly string[], RegExp])[] = [
  [
    "a line that is cut off in the middle",
    [instanceLine(plan), call.slice(0, 70), call],
    /:2: the line is not JSON: it is cut off/,
  ],
  ["a line that is no JSON", [instanceLine(plan), `${call.slice(0, 70)}}}`], /:2: the line is not JSON: it is cut off/],
  [
    "a line of k6's own that is cut off, with the first of another file behind it",
    [instanceLine(plan), pointLine("http_reqs", 1, {}).slice(0, 50) + (linesOf(plan)[1] ?? "")],
    /:2: the line is not JSON: it is cut off/,
  ],
  [
    "a line of k6's own that is cut off behind a brace",
    [instanceLine(plan), pointLine("http_reqs", 1, {}).slice(0, -1)],
    /:2: the line is not JSON: it is cut off/,
  ],
  [
    "a tag that is no text",
    [instanceLine(plan), call.replace('"OK"', "[1]")],
    /:2: a tag of the sample is not a text$/,
  ],
  [
    "an invalid segment, without terminal escapes",
    [instanceLine(plan, "\u001B[2J\u009B1m")],
    /:1: "\?\[2J\?1m" is not an execution segment$/,
  ],
  [
    "a cell that the plan does not have",
    [instanceLine(plan), callLine({ cell: cellOf(77), task: 0, atMs: 1 })],
    /:2: the plan has no cell "c0077"$/,
  ],
  [
    "a task that its cell does not have",
    [instanceLine(plan), callLine({ cell, task: 4, atMs: 1 })],
    /:2: "4" is not a task of the cell$/,
  ],
  [
    "a step that its task does not have",
    [instanceLine(plan), callLine({ cell, task: 0, step: 1, atMs: 1 })],
    /:2: "1" is not a step/,
  ],
  [
    "a call at no moment",
    [instanceLine(plan), callLine({ cell, task: 0, atMs: 1, more: { at: "soon" } })],
    /:2: .*"soon" is not a moment$/,
  ],
  [
    "a call that took less than nothing",
    [instanceLine(plan), callLine({ cell, task: 0, atMs: 1, ms: -1 })],
    /:2: .*-1 ms$/,
  ],
  [
    "an invalid outcome",
    [instanceLine(plan), callLine({ cell, task: 0, atMs: 1, outcome: "ok?" })],
    /:2: "ok\?" is not an outcome/,
  ],
  ["a call before its instance", [call], /:1: .*the beginning of this file is missing$/],
  ["nothing of ours", [pointLine("http_reqs", 1, {})], /--out json=FILE$/],
];
test.each(faults)("%s is refused, with its place", async (_, lines, message) => {
  const path = file(fileOf(lines));
  const failure = await readResults([path], [plan]).catch((thrown: unknown) => thrown);
  expect(failure).toMatchObject({ name: "K6Error", code: "unreadable", message: expect.stringMatching(message) });
  expect(failure).toMatchObject({ message: expect.stringContaining(path) });
});

test("results of another plan are refused", async () => {
  const other = planWith({ planHash: "123456789abc", seed: 8, contractHash: "decaf" });
  await expect(readResults([file(fileOf(linesOf(other)))], [plan])).rejects.toMatchObject({
    code: "other-plan",
    message: expect.stringMatching(/123456789abc, which is not of this export$/),
  });
});
