// TLS as a factor of a task: plain and encrypted beside each other in one run, with one certificate for every address that servers have.
import type { RunFacts } from "@roundtrip/runs";
import { allStacks, loadStack } from "@roundtrip/stacks";
import { describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { armsOf, type ArmOptions } from "../src/study/planned-arm.ts";
import type { Task } from "../src/study/study.ts";
import { shortRun, shortStudies, measureWhole } from "./support/short-run.ts";
import { linkDefaults } from "../src/study/link-settings.ts";

const kernelLink = await needing("kernel-link");

const options: ArmOptions = { targets: [], settings: {}, links: {}, usualLink: undefined, tls: false };

async function configurations(changes: Partial<Task>, given: Partial<ArmOptions> = {}) {
  const arms = armsOf(shortStudies(changes), [await loadStack("rest-express")], { ...options, ...given });
  return new Map(arms.map(({ configuration, factors }) => [configuration.id, factors]));
}

it("all arms are encrypted when the run is to be, and a target is what its URL says", async () => {
  expect(await configurations({ tls: [false, true] }, { tls: true })).toEqual(
    new Map([["rest-express/tls=true", { tls: true }]]),
  );
  const target = { stack: "rest-express", url: "https://example.com", ca: undefined, tokenVariable: undefined };
  expect(await configurations({ tls: [false, true] }, { targets: [target] })).toEqual(new Map([["rest-express", {}]]));
});

/** Bytes on the wire of all measured calls of the arms with this factor. */
function wireBytesOf(run: RunFacts, stack: string, tls: boolean): number {
  const arms = run.arms.filter((arm) => arm.stack === stack && arm.factors["tls"] === tls).map(({ id }) => id);
  const blocks = run.blocks.filter(({ armId }) => arms.includes(armId));
  return blocks.reduce((sum, { wireBytes }) => sum + (wireBytes ?? 0), 0);
}

describe("a run", () => {
  it("measures both, and what is encrypted is more bytes on the wire", async () => {
    const studies = shortStudies({ tls: [false, true] });
    const run = await measureWhole(await shortRun({ studies, rounds: 1, warmUpMs: 1 }));
    expect(run).toMatchObject({ status: "complete", verification: { agreed: true } });
    expect(run.blocks.every(({ failedCalls }) => failedCalls === 0)).toBe(true);
    for (const stack of ["rest-express", "floor"]) {
      expect(wireBytesOf(run, stack, true)).toBeGreaterThan(wireBytesOf(run, stack, false));
    }
  });

  it("trusts its servers at the other end of a link too", kernelLink, async () => {
    const studies = shortStudies({ tls: [true], links: [{ ...linkDefaults, rttMs: 2 }] });
    // What is new over a link are the addresses that the certificate is for, which are alike for all libraries of a style.
    const stackNames = allStacks().flatMap(({ name, isDefault }) => (isDefault ? [name] : []));
    const wish = { studies, rounds: 1, warmUpMs: 1, stackNames };
    const run = await measureWhole(await shortRun(wish));
    expect(run).toMatchObject({ status: "complete", verification: { agreed: true } });
    expect(run.arms.map(({ factors }) => factors)).toContainEqual({ rttMs: 2, tls: true });
    expect(run.blocks.every(({ failedCalls }) => failedCalls === 0)).toBe(true);
  });
});
