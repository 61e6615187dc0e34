// Networks as levels: what a run gives wins over what a task has, and no network is there twice.
import { loadStack } from "@roundtrip/stacks";
import { describe, expect, it } from "vitest";
import { armsOf, type ArmOptions } from "../src/study/planned-arm.ts";
import { linkDefaults, linkFactors, linkLimits, linksWith, requireSensible } from "../src/study/link-settings.ts";
import { shortStudies } from "./support/short-run.ts";

const near = { ...linkDefaults, rttMs: 1 };
const far = { ...linkDefaults, rttMs: 100 };
const options: ArmOptions = { targets: [], settings: {}, links: {}, usualLink: undefined, tls: false };

describe("levels of networks", () => {
  it("are combined with each other, and with what a task has of its own", () => {
    const links = linksWith([near, far], { loss: [0, 0.01], congestionControl: ["bbr"] });
    expect(links.map((link) => linkFactors(link))).toEqual([
      { rttMs: 1, congestionControl: "bbr" },
      { rttMs: 1, loss: 0.01, congestionControl: "bbr" },
      { rttMs: 100, congestionControl: "bbr" },
      { rttMs: 100, loss: 0.01, congestionControl: "bbr" },
    ]);
  });

  it("stand in place of a task's own, each once", () => {
    expect(linksWith([near, far], { rttMs: [5, 50] }).map(({ rttMs }) => rttMs)).toEqual([5, 50]);
    expect(linksWith([], { rttMs: [5] })).toEqual([{ ...linkDefaults, rttMs: 5 }]);
  });

  it("make one of tasks that differ in their networks alone, as often done as the one with the nearest distance", async () => {
    const studies = shortStudies({ links: [near], tasksPerRound: 90 }, { links: [far], tasksPerRound: 3 });
    const arms = armsOf(studies, [await loadStack("rest-express")], {
      ...options,
      links: { rttMs: [2, 80] },
    });
    expect(arms.map(({ factors, variant, tasksPerRound }) => [variant, factors["rttMs"], tasksPerRound])).toEqual([
      ["single", 2, 90],
      ["double", 2, 90],
      ["single", 80, 3],
      ["double", 80, 3],
    ]);
  });

  it("are factors of every arm where they vary within a study, at their default too", async () => {
    const links = [near, { ...near, slowStartAfterIdle: false }];
    const arms = armsOf(shortStudies({ links }), [await loadStack("rest-express")], options);
    expect(arms.map(({ factors }) => factors["slowStartAfterIdle"])).toEqual([true, true, false, false]);
    expect(arms.map(({ factors }) => factors["loss"])).toEqual([undefined, undefined, undefined, undefined]);
  });
});

const refused = expect.objectContaining({ code: "bad-plan" });

it.each(Object.entries(linkLimits))(
  "a network has a %s from the least to the most that makes sense",
  (name, [least, most]) => {
    for (const value of [least, most]) expect(() => requireSensible({ ...linkDefaults, [name]: value })).not.toThrow();
    for (const value of [least - 0.001, most + 0.001, Number.NaN]) {
      expect(() => requireSensible({ ...linkDefaults, [name]: value })).toThrow(refused);
    }
  },
);
