// Arms that are left out: over networks that the machine lacks, and those that write to a target; and the warnings of targets.
import { builtInContract } from "@roundtrip/contract";
import { describe, expect, it } from "vitest";
import type { LinkKind } from "../src/link/link.ts";
import { leaveOutMissingLinks, leaveOutTargetWrites, targetWarnings } from "../src/rounds/leave-out.ts";
import { linkDefaults } from "../src/study/link-settings.ts";
import type { PlannedArm } from "../src/study/planned-arm.ts";
import { anArm } from "./support/an-arm.ts";

const contract = builtInContract();
const read = { operation: "roundtrip.v1.CustomerService.GetCustomer", request: { id: 1 } };
const write = { operation: "roundtrip.v1.CustomerService.UpdateCustomer", request: {} };
const unknown = { operation: "no.Such.Thing", request: {} };

function elsewhere(task: string, steps: PlannedArm["plan"]["steps"], setup: PlannedArm["setup"] = []): PlannedArm {
  const arm = anArm({ stack: "rest-express", variant: "facade", attributes: 1 });
  const plan = { ...arm.plan, steps };
  return { ...arm, id: task, task, title: "REST (target)", target: "http://example.com", plan, setup };
}

function kept(...arms: readonly PlannedArm[]): readonly string[] {
  return leaveOutTargetWrites(arms, contract).measured.map(({ id }) => id);
}

describe("a server that is not the run's own", () => {
  it("is asked what the contract declares free of side effects, and nothing else", () => {
    expect(kept(elsewhere("reads", [read, read]), elsewhere("writes", [read, write]))).toEqual(["reads"]);
    expect(kept(elsewhere("asks for what nobody knows", [unknown]))).toEqual([]);
  });

  it("is not written to, with one warning that names the tasks", () => {
    const { warnings } = leaveOutTargetWrites(
      [elsewhere("a", [write]), elsewhere("a", [write]), elsewhere("b", [write])],
      contract,
    );
    expect(warnings).toEqual([
      {
        code: "left-out",
        message:
          "REST (target): study a, study b left out, as they write to a server that is not the run's own (--disposable measures them)",
      },
    ]);
  });
});

const kind: LinkKind = {
  name: "without bbr",
  order: 1,
  caveat: "",
  unavailable: () => Promise.resolve(undefined),
  refuses: () => undefined,
  lacks: ({ congestionControl }) => Promise.resolve(congestionControl === "bbr" ? "there is no bbr" : undefined),
  open: () => Promise.reject(new Error("nothing is opened")),
};

function armOver(congestionControl: string | undefined): ReturnType<typeof anArm> {
  const arm = anArm({ study: "idle", stack: "rest", variant: "single", attributes: 1 });
  return { ...arm, configuration: { ...arm.configuration, link: { ...linkDefaults, congestionControl } } };
}

it("leaves out what the machine lacks, and says of which study and why", async () => {
  const [cubic, bbr, own] = [armOver("cubic"), armOver("bbr"), armOver(undefined)];
  const { measured, warnings } = await leaveOutMissingLinks([cubic, bbr, own], kind);
  expect(measured).toEqual([cubic, own]);
  expect(warnings).toEqual([
    { code: "link-left-out", message: "idle is without a part of its networks: there is no bbr" },
  ]);
});

const own = anArm({ stack: "rest-express", variant: "facade", attributes: 1 });
const targetArm: PlannedArm = {
  ...anArm({ stack: "grpc-js", variant: "facade", attributes: 1 }),
  target: "http://host:1",
};
const floor: PlannedArm = {
  ...anArm({ stack: "floor", variant: "facade", attributes: 1 }),
  target: "http://host:2",
  role: "floor",
};

const codesOf = (...arms: readonly PlannedArm[]) => targetWarnings(arms).map(({ code }) => code);

it("is that they were not restarted, for each, and that no floor was measured beside them", () => {
  expect(codesOf(targetArm)).toEqual(["not-restarted", "no-floor"]);
  expect(codesOf(targetArm, targetArm, floor)).toEqual(["not-restarted", "not-restarted"]);
  expect(targetWarnings([targetArm])[0]?.message).toMatch(/^grpc-js at http:\/\/host:1: server not restarted/);
});

it("is that machine and network differ too, where only some ran targetArm", () => {
  expect(codesOf(own, targetArm, floor)).toEqual(["not-restarted", "not-restarted", "mixed-places"]);
});
