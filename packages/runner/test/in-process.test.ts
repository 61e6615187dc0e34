// Calls without a network: which tasks are called in process, and real runs of them beside a stack with a server.
import { inProcessName, inProcessStack, loadStack } from "@roundtrip/stacks";
import { expect, it } from "vitest";
import { poisson } from "../src/index.ts";
import { armsOf } from "../src/study/planned-arm.ts";
import type { Study, Task } from "../src/study/study.ts";
import { serviceHere, shortRun, shortStudies, single, measureWhole, measureAndRead } from "./support/short-run.ts";
import { linkDefaults } from "../src/study/link-settings.ts";

const stacks = [await loadStack("rest-node-http"), await inProcessStack()];

function studiesOf(change: Partial<Task>): readonly Study[] {
  return shortStudies(change).map((study) => ({ ...study, inProcess: true }));
}

function variantsInProcess(change: Partial<Task>): readonly string[] {
  return armsOf(studiesOf(change), stacks.slice(1)).map(({ variant }) => variant);
}

it("one caller's calls in sequence that are never left out are called in process, in a study that says so", () => {
  const variants = { facade: single, rare: single, atOnce: { ...single, order: "parallel" } } as const;
  expect(variantsInProcess({ variants, priorities: { rare: 2 } })).toEqual(["facade"]);
  expect(armsOf(shortStudies({ variants }), stacks.slice(1))).toEqual([]);
  expect(variantsInProcess({ variants, callers: 2 })).toEqual([]);
  expect(variantsInProcess({ variants, load: { pacer: poisson({ rateHz: 10 }) } })).toEqual([]);
  expect(variantsInProcess({ variants, links: [{ ...linkDefaults, rttMs: 20 }] })).toEqual([]);
  expect(variantsInProcess({ variants, tls: [true, false] })).toEqual([]);
});

it("a run has calls in process beside those of a server, in one block and without figures of a server", async () => {
  const options = { ...(await shortRun({ rounds: 1, studies: studiesOf({ variants: { single } }) })), stacks };
  const { facts } = await measureAndRead(options);
  const [arm] = facts.arms.filter(({ role }) => role === inProcessName);
  expect(arm).toMatchObject({ style: inProcessName, client: "memory", title: "in process" });
  const blocks = facts.blocks.filter(({ armId }) => armId === arm?.id);
  expect(blocks).toMatchObject([{ tasks: 20, calls: 20, failedCalls: 0, serverCpuMs: null, wireBytes: 0 }]);
  expect(blocks[0]?.server).toBeUndefined();
  expect(blocks[0]?.connectionsOpened).toBe(0);
  // A first call opens a connection.
  expect(facts.firstCalls.filter(({ armId }) => armId === arm?.id)).toEqual([]);
  expect(facts.warmUps.map(({ stack }) => stack).toSorted()).toEqual([inProcessName, "rest-node-http"]);
});

it("answers in process are compared with those of a server", async () => {
  const studies = studiesOf({ variants: { single } });
  const options = { ...(await shortRun({ rounds: 1, studies, service: serviceHere("moodyService") })), stacks };
  await expect(measureWhole(options)).rejects.toMatchObject({
    code: "answers-differ",
  });
});
