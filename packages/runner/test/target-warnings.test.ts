// What a report says of servers that were not the run's own.
import { expect, it } from "vitest";
import type { PlannedArm } from "../src/study/planned-arm.ts";
import { targetWarnings } from "../src/rounds/leave-out.ts";
import { anArm } from "./support/an-arm.ts";

const own = anArm({ stack: "rest-express", variant: "facade", attributes: 1 });
const elsewhere: PlannedArm = {
  ...anArm({ stack: "grpc-js", variant: "facade", attributes: 1 }),
  target: "http://host:1",
};
const floor: PlannedArm = {
  ...anArm({ stack: "floor", variant: "facade", attributes: 1 }),
  target: "http://host:2",
  role: "floor",
};

const codesOf = (...arms: readonly PlannedArm[]) => targetWarnings(arms).map(({ code }) => code);

it("is absent if the run started all servers", () => {
  expect(codesOf(own, own)).toEqual([]);
});

it("is that they were not restarted, for each, and that no floor was measured beside them", () => {
  expect(codesOf(elsewhere)).toEqual(["not-restarted", "no-floor"]);
  expect(codesOf(elsewhere, elsewhere, floor)).toEqual(["not-restarted", "not-restarted"]);
  expect(targetWarnings([elsewhere])[0]?.message).toMatch(/^grpc-js at http:\/\/host:1: server not restarted/);
});

it("is said of each of two stacks that have one title", () => {
  const second: PlannedArm = { ...elsewhere, ...anArm({ stack: "rest-express", variant: "facade", attributes: 1 }) };
  const same = [elsewhere, { ...second, target: "http://host:3" }].map((arm) => ({ ...arm, title: "A" }));
  expect(targetWarnings(same).map(({ message }) => message.slice(0, 20))).toEqual([
    "A at http://host:1: ",
    "A at http://host:3: ",
    "no floor was measure",
  ]);
});

it("is that machine and network differ too, where only some ran elsewhere", () => {
  expect(codesOf(own, elsewhere, floor)).toEqual(["not-restarted", "not-restarted", "mixed-places"]);
});
