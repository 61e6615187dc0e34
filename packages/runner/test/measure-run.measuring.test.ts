// Real processes over real sockets: what a run leaves behind when all goes well, and when it does not.
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunFacts } from "@roundtrip/runs";
import { beforeAll, describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { readAllowedCores } from "../src/evidence/machine-counters.ts";
import { helpersOf } from "../src/evidence/process-cpu.ts";
import { measureRun, type MeasureOptions } from "../src/index.ts";
import { readRun } from "@roundtrip/runs/read";
import { placements } from "../src/processes/cores.ts";
import { serviceHere, shortRun, shortStudies, single, measureWhole, failure } from "./support/short-run.ts";
import { textOf } from "../src/lifetime/session-processes.ts";

const never = new AbortController().signal;

async function validateRunFile(directory: string): Promise<unknown> {
  const schema = JSON.parse(
    await readFile(new URL("../../../schema/run.v1.schema.json", import.meta.url), "utf8"),
  ) as object;
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
  addFormats.default(ajv);
  const validate = ajv.compile(schema);
  validate(JSON.parse(await readFile(join(directory, "run.json"), "utf8")));
  return validate.errors;
}

it("lets the studies of a run take the one first call of fresh processes in turn", async () => {
  const options = await shortRun({ stackNames: ["floor"] });
  const studies = options.studies.flatMap((one) => [one, { ...one, name: "other" }]);
  const { firstCalls } = await measureWhole({ ...options, studies, rounds: 3 });
  expect(firstCalls.map(({ armId }) => armId.split("/")[0])).toEqual(["short", "other", "short"]);
});

/** Every thread of the servers and clients that this process has started: whose it is, and the cores that the kernel lets it have. */
function placesOfThreads(): readonly string[] {
  const children = readdirSync("/proc/self/task").flatMap((thread) =>
    textOf(`/proc/self/task/${thread}/children`).split(" ").filter(Boolean),
  );
  return children.flatMap((pid) => {
    const role = /(server|client)-process/.exec(textOf(`/proc/${pid}/cmdline`))?.[1];
    if (role === undefined) return [];
    const helpers = helpersOf(Number(pid));
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
      const allowed = readAllowedCores(textOf(`/proc/${pid}/task/${thread}/status`));
      const whose = helpers.includes(thread) ? `V8 in the ${role}` : role;
      return allowed === undefined ? [] : [`${whose} ${[...allowed].join(" ")}`];
    });
  });
}

const pinning = await needing("taskset", "two-cores");

it("gives a server both cores if its callers only wait", pinning, async () => {
  const options = await shortRun({ studies: shortStudies({ servedOnBothCores: true }), stackNames: ["floor"] });
  const seen = new Set<string>();
  const run = await measureRun({ ...options, rounds: 1 }, never, ({ done }) => {
    if (done > 0) for (const place of placesOfThreads()) seen.add(place);
  });
  expect([...seen].filter((place) => place.startsWith("server"))).toEqual(["server 0 1"]);
  expect(run.environment.placement).toContain("; servers whose callers only wait have both cores");
});

describe("a run", () => {
  const placed = placements();
  let options: MeasureOptions;
  let facts: RunFacts;
  const places = [new Set<string>(), new Set<string>()];
  beforeAll(async () => {
    options = await shortRun({});
    facts = await measureRun(options, never, ({ round, done }) => {
      // Called when a round begins, and before each of its blocks.
      if (pinning.skip !== true && done > round / 2) for (const place of placesOfThreads()) places[round]?.add(place);
    });
  });

  it("has every server and client on the core of its round, as the kernel says", pinning, () => {
    const expected = [0, 1].map((round) => {
      const { server, client } = placed.ofRound(round);
      return new Set([`server ${server}`, "V8 in the server 0 1", `client ${client}`, "V8 in the client 0 1"]);
    });
    expect(places).toEqual(expected);
  });

  it("leaves facts that keep their schema, and one row for every call", async () => {
    expect(await validateRunFile(options.directory)).toBeNull();
    expect(facts).toMatchObject({ status: "complete", roundsDone: 2, verification: { agreed: true } });

    const { facts: read, samples } = await readRun(options.directory);
    expect({ ...read, durationMs: facts.durationMs }).toEqual(JSON.parse(JSON.stringify(facts)));
    // 2 rounds × (20 tasks of one call + 20 tasks of two), and half as many on the floor.
    expect(samples.length).toBe(2 * (20 + 40) * 1.5);
    expect(samples.outcomes).toEqual(["OK"]);
    for (let row = 0; row < samples.length; row += 1) {
      expect(samples.endedAtNs[row]).toBeGreaterThan(samples.startedAtNs[row] ?? Number.POSITIVE_INFINITY);
      expect(samples.intendedAtNs[row]).toBe(samples.startedAtNs[row]);
    }
  });

  it("does fewer rounds when the budget does not suffice, and says so", async () => {
    const fewer = await shortRun({ stackNames: ["floor"], rounds: 500, budgetMs: 12_000, typed: new Set(["budget"]) });
    // A round takes most of its time waiting, so that few of them fill the budget.
    const studies = shortStudies({ variants: { single: { ...single, idleMs: 2_000 } } });
    const { roundsDone, roundsPlanned, timeLimitMs } = await measureWhole({ ...fewer, studies });
    expect(roundsDone).toBeGreaterThan(0);
    expect(roundsDone).toBeLessThan(500);
    expect({ roundsPlanned, timeLimitMs }).toEqual({ roundsPlanned: 500, timeLimitMs: 12_000 });
  });
});

it("the default time is not kept by leaving out rounds, but cells of low priority on all stacks, and then calls", async () => {
  const options = await shortRun({ budgetMs: 1, rounds: 2 });
  const [study] = shortStudies({ priorities: { double: 2 } });
  const studies = [{ ...study, floorPriority: 2 }];
  const facts = await measureWhole({ ...options, studies });
  expect(await validateRunFile(options.directory)).toBeNull();
  expect(facts).toMatchObject({ status: "complete", roundsDone: 2, events: [] });
  expect(facts.arms.map(({ stack, variant }) => `${stack} ${variant}`)).toEqual(["rest-express single"]);
  // Only the first round had to start a floor to know that there is no time for it.
  expect(facts.warmUps.map(({ stack, round }) => `${stack} ${round}`).toSorted()).toEqual([
    "floor 0",
    "rest-express 0",
    "rest-express 1",
  ]);
  expect(facts.leftOut).toMatchObject({
    cells: [{ study: "short", task: "hello", variant: "double", factors: {}, priority: 2 }],
    shareOfCalls: 0.1,
    withinMs: 1,
  });
  const { samples } = await readRun(options.directory);
  // 2 rounds × a tenth of 20 calls.
  expect(samples.length).toBe(2 * 2);
  expect(facts.roundTimes?.map(({ round }) => round)).toEqual([0, 1]);
  for (const time of facts.roundTimes ?? []) {
    for (const phase of ["startingMs", "firstCallsMs", "verificationMs", "warmUpMs", "blocksMs"] as const) {
      expect(time[phase]).toBeGreaterThan(0);
    }
  }
});

describe("an impossible run", () => {
  it("gives no number when stacks do not answer alike", async () => {
    const options = await shortRun({ service: serviceHere("moodyService") });
    const error = await failure(measureWhole(options));
    expect(error).toMatchObject({ code: "answers-differ" });
    expect(error.message).toMatch(/do not answer alike: "message" is "I am process \d+" and "I am process \d+"/);
    expect((await readRun(options.directory)).facts).toMatchObject({
      status: "failed",
      verification: { agreed: false },
    });
  });

  it("names the process that died rather than the call that failed for it", async () => {
    const options = await shortRun({ service: serviceHere("stillbornService"), stackNames: ["rest-express"] });
    expect(await failure(measureWhole(options))).toMatchObject({
      code: "process-died",
      message: "the rest-express server process ended by itself (exit status 7)",
    });
  });

  it("fails at once if the budget is too small for one round", async () => {
    const error = await failure(
      measureWhole(await shortRun({ stackNames: ["floor"], budgetMs: 1, typed: new Set(["budget"]) })),
    );
    expect(error).toMatchObject({ code: "budget-too-small" });
    expect(error.message).toMatch(/give at least --budget \d+s/);
  });
});
