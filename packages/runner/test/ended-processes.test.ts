// Processes that are killed while they measure: what a run still has to say of them, and of everything else.
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import type { Block, RunFacts, Samples } from "@roundtrip/runs";
import { analyse, analyseDefaults } from "@roundtrip/analysis";
import { beforeAll, describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { closedLoop, measureRun, poisson, type Load } from "../src/index.ts";
import { readRun } from "@roundtrip/runs/read";
import { fatalFile, lastCalls } from "./support/services.ts";
import { serviceHere, shortRun, shortStudies, single } from "./support/short-run.ts";

const loops: readonly (readonly [string, { readonly load?: Load }])[] = [
  ["an open loop", { load: { pacer: poisson({ rateHz: 200 }) } }],
  ["a closed loop of callers who think", { load: { pacer: closedLoop({ thinkMs: 1, thinkTime: "constant" }) } }],
  ["a closed loop", {}],
];

describe.each(loops)("a server that is killed in the middle of %s", (_, load) => {
  let facts: RunFacts;
  let samples: Samples;
  beforeAll(async () => {
    const options = await shortRun({ service: serviceHere("mortalService"), stackNames: ["rest-express", "grpc-js"] });
    const studies = shortStudies({ ...load, callers: 2, variants: { single }, tasksPerRound: 30 });
    const fatal = fatalFile(process.pid);
    // Called first for the part, then before each block: the server that is called first has answered one block by then.
    let reports = 0;
    try {
      await measureRun({ ...options, studies }, new AbortController().signal, () => {
        reports += 1;
        if (reports === 4) writeFileSync(fatal, "");
      });
    } finally {
      rmSync(fatal, { force: true });
    }
    ({ facts, samples } = await readRun(options.directory));
  });

  const struck = (): Block => {
    const [block, ...others] = facts.blocks.filter(({ failedCalls }) => failedCalls > 0);
    if (block === undefined || others.length > 0) throw new Error(`${others.length + 1} blocks were struck`);
    return block;
  };

  it("does not end the run: its errors are counted by code, and what it answered before is kept", () => {
    expect(facts).toMatchObject({ status: "complete", roundsDone: 2 });
    const { round, block, calls, failedCalls, serverCpuMs } = struck();
    expect(calls).toBe(10);
    // Of those that had come before, some may not have been sent yet.
    expect(failedCalls).toBeGreaterThanOrEqual(10 - lastCalls);
    expect(serverCpuMs).toBeNull();
    const outcomes = Array.from({ length: samples.length }, (_call, row) => row)
      .filter((row) => samples.round[row] === round && samples.block[row] === block)
      .map((row) => samples.outcomes[samples.outcome[row] ?? 0]);
    expect(outcomes.filter((outcome) => outcome === "OK")).toHaveLength(10 - failedCalls);
    expect(outcomes.filter((outcome) => outcome === "UNAVAILABLE")).toHaveLength(failedCalls);
  });

  it("is missing for the rest of its round and no longer; other servers are measured as planned", () => {
    const { armId } = struck();
    const blocksOf = (round: number, isStruck: boolean) =>
      facts.blocks.filter((block) => block.round === round && (block.armId === armId) === isStruck);
    expect(blocksOf(0, false)).toHaveLength(3);
    expect(blocksOf(0, true).at(-1)).toEqual(struck());
    expect(blocksOf(1, true)).toHaveLength(3);
    expect(blocksOf(1, false)).toHaveLength(3);
  });

  it("is reported: which server ended, how, in which round, and what it leaves out", () => {
    const found = analyse(facts, samples, analyseDefaults).warnings;
    const deaths = found.filter(({ code }) => code === "server-died");
    expect(deaths).toHaveLength(1);
    const left = 6 - facts.blocks.filter(({ round }) => round === 0).length;
    const leftOut = ["", "; one block of that round was left out", "; 2 blocks of that round were left out"][left];
    const name = struck().armId.split("/")[2];
    expect(deaths[0]?.message).toBe(
      `the ${name} server process ended by itself (SIGKILL) in round 1: what it did not answer counts as failed${leftOut}`,
    );
    const { failedCalls } = struck();
    expect(found.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(new RegExp(`^${failedCalls} of \\d+ calls failed \\(${failedCalls} × UNAVAILABLE\\)`)),
    );
  });
});

it("a client that is killed costs its blocks of that round, and not the run", await needing("pgrep"), async () => {
  const options = await shortRun({ stackNames: ["rest-express", "grpc-js"] });
  let reports = 0;
  const facts = await measureRun(options, new AbortController().signal, () => {
    reports += 1;
    if (reports !== 4) return;
    const clients = execFileSync("pgrep", ["-P", String(process.pid), "-f", "client-process"], { encoding: "utf8" });
    process.kill(Number(clients.split("\n")[0]), "SIGKILL");
  });
  expect(facts).toMatchObject({ status: "complete", roundsDone: 2 });
  const [died] = facts.events.flatMap((event) => (event.kind === "process-ended" ? [event] : []));
  expect(facts.events).toEqual([died]);
  expect(died).toMatchObject({ role: "client", round: 0, end: { how: "killed", signal: "SIGKILL" } });
  const name = died?.end.name.replace(/ client$/, "");
  const blocksOf = (round: number) => facts.blocks.filter((block) => block.round === round);
  const planned = blocksOf(1).length;
  expect(planned - blocksOf(0).length).toBe(died?.blocksLeftOut);
  const ofOthers = (round: number) => blocksOf(round).filter(({ armId }) => armId.split("/")[2] !== name).length;
  expect(ofOthers(0)).toBe(ofOthers(1));
});
