// Arms that are left out: over networks that the machine lacks, and those that write to a target.
import { builtInContract } from "@roundtrip/contract";
import { leftOutText } from "@roundtrip/runs";
import { describe, expect, it } from "vitest";
import type { LinkKind } from "../src/link/link.ts";
import { leaveOutMissingLinks, leaveOutTargetWrites } from "../src/rounds/leave-out.ts";
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

  it("is not written to, with one reason for all its tasks", () => {
    const { leftOut } = leaveOutTargetWrites(
      [elsewhere("a", [write]), elsewhere("a", [write]), elsewhere("b", [write])],
      contract,
    );
    expect(leftOut.map(leftOutText)).toEqual([
      "3 arms (study a, study b over REST (target)) left out: writes to a server that is not the run's own (--disposable measures it)",
    ]);
  });
});

const noBbr = { code: "no-congestion-control", name: "bbr", known: ["cubic"] } as const;

const kind: LinkKind = {
  name: "without bbr",
  order: 1,
  unavailable: () => Promise.resolve(undefined),
  refuses: () => undefined,
  lacks: ({ congestionControl }) => Promise.resolve(congestionControl === "bbr" ? noBbr : undefined),
  open: () => Promise.reject(new Error("nothing is opened")),
};

function armOver(congestionControl: string | undefined): ReturnType<typeof anArm> {
  const arm = anArm({ study: "idle", stack: "rest", variant: "single", attributes: 1 });
  return { ...arm, configuration: { ...arm.configuration, link: { ...linkDefaults, congestionControl } } };
}

it("leaves out what the machine lacks, and says of which study and why", async () => {
  const [cubic, bbr, own] = [armOver("cubic"), armOver("bbr"), armOver(undefined)];
  const { measured, leftOut } = await leaveOutMissingLinks([cubic, bbr, own], kind);
  expect(measured).toEqual([cubic, own]);
  expect(leftOut).toMatchObject([{ reason: noBbr, arms: 1, work: [{ study: "idle" }] }]);
});
