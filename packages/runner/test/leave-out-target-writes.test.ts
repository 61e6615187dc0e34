import { builtInContract } from "@roundtrip/contract";
import { describe, expect, it } from "vitest";
import type { PlannedArm } from "../src/study/planned-arm.ts";
import { leaveOutTargetWrites } from "../src/rounds/leave-out.ts";
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

  it("is not brought into another state for a task that only reads", () => {
    expect(kept(elsewhere("reads what was written", [read], [write]))).toEqual([]);
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

it("two stacks with one title get a warning each", () => {
  const other = anArm({ stack: "grpc-js", variant: "facade", attributes: 1 });
  const { task, title, target = "", plan } = elsewhere("a", [write]);
  const { warnings } = leaveOutTargetWrites(
    [elsewhere("a", [write]), { ...other, task, title, target, plan }],
    contract,
  );
  expect(warnings).toHaveLength(2);
});

describe("a server of the run", () => {
  it("may be written to", () => {
    const { target: _target, ...here } = elsewhere("writes", [write], [write]);
    expect(leaveOutTargetWrites([here], contract)).toEqual({ measured: [here], warnings: [] });
  });
});
