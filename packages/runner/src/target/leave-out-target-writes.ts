// Leaves out arms that write to a target, which others may rely on. Only operations declared free of side effects count as reads.
import type { Warning } from "@roundtrip/analysis";
import type { Contract } from "@roundtrip/contract";
import type { ArmSelection, PlannedArm } from "../study/planned-arm.ts";
import { stackKey } from "../study/configuration.ts";
import type { Step } from "../study/study.ts";

/** Keeps the arms that only read, and those of the run's own servers. Warns of tasks that are left out. */
export function leaveOutTargetWrites(arms: readonly PlannedArm[], contract: Contract): ArmSelection {
  const reads = new Set(contract.operations.filter(({ sideEffects }) => sideEffects === "none").map(({ id }) => id));
  const isRead = ({ operation }: Step): boolean => reads.has(operation);
  const isSpared = ({ target, plan, setup }: PlannedArm): boolean =>
    target !== undefined && ![...setup, ...plan.steps].every(isRead);

  const byStack = Map.groupBy(arms.filter(isSpared), ({ configuration }) => stackKey(configuration));
  const warnings = [...byStack.values()].map((spared): Warning => {
    const title = spared[0]?.title ?? "";
    const tasks = [...new Set(spared.map(({ study, task }) => `${study} ${task}`))];
    return {
      code: "left-out",
      message: `${title}: ${tasks.join(", ")} left out, as ${tasks.length === 1 ? "it writes" : "they write"} to a server that is not the run's own (--disposable measures them)`,
    };
  });
  return { measured: arms.filter((arm) => !isSpared(arm)), warnings };
}

/** Warnings for these arms; empty if the run started all servers itself. */
export function targetWarnings(arms: readonly PlannedArm[]): readonly Warning[] {
  const elsewhere = arms.filter(({ target }) => target !== undefined);
  if (elsewhere.length === 0) return [];
  const ofEachStack = [...new Map(elsewhere.map((arm) => [stackKey(arm.configuration), arm])).values()];
  const titles = ofEachStack.map(({ title }) => title).join(", ");
  const warnings: Warning[] = ofEachStack.map(({ title, target }) => ({
    code: "not-restarted",
    message: `${title} at ${target}: server not restarted between rounds: variation between its starts is not in the intervals; its CPU time is not known`,
  }));
  const isMixed = elsewhere.length < arms.length;
  if (isMixed) {
    warnings.push({
      code: "mixed-places",
      message: `${titles} ran elsewhere: what sets it apart from the servers of this run is the machine and the network too`,
    });
  }
  if (!elsewhere.some(({ role }) => role === "floor")) {
    warnings.push({
      code: "no-floor",
      message: `no floor was measured where ${titles} ran: "roundtrip serve floor" there and --target floor=URL give one`,
    });
  }
  return warnings;
}
