// What a change of the files did, in one line: the terminal and the page show it.
import { withPresets } from "../faults/plan-rules.ts";
import type { FaultPlan } from "../faults/fault-schema.ts";
import type { Reset } from "../resources/reread.ts";
import type { Stub } from "../stubs/stub-schema.ts";
import type { Contract } from "@roundtrip/contract";

export interface FakeFiles {
  readonly contract: Contract;
  readonly stubs: readonly Stub[];
  readonly faults: FaultPlan;
}

function counted(count: number, name: string, plural = `${name}s`): string {
  return `${count} ${count === 1 ? name : plural}`;
}

function ruleCount(plan: FaultPlan): number {
  const { faults, latencies } = withPresets(plan);
  return faults.length + latencies.length;
}

const mostListed = 5;

function listed(texts: readonly string[]): string {
  const more = texts.length > mostListed ? [`${texts.length - mostListed} more`] : [];
  return [...texts.slice(0, mostListed), ...more].join("; ");
}

/** `reset 3 guests: field \`email\` has another type`, for all sessions together. */
function resetTexts(resets: readonly Reset[]): readonly string[] {
  const groups = Map.groupBy(resets, ({ names: [name], why }) => `${name} ${why}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const sum = group.reduce((count, reset) => count + reset.count, 0);
    return [`reset ${counted(sum, ...first.names)}: ${first.why}`];
  });
}

export interface Applied {
  /** What was applied; without a contract for one that is equal to the earlier one. */
  readonly change: Partial<FakeFiles>;
  readonly isSameContract: boolean;
  /** The stubs added by hand that no longer fit, and why. */
  readonly lost: readonly string[];
  readonly resets: readonly Reset[];
  /** Of the stubs. */
  readonly warnings: readonly string[];
}

export function appliedText({ change, isSameContract, lost, resets, warnings }: Applied): string {
  const { contract, stubs, faults } = change;
  const counts = [
    [contract?.operations.length, "operation"],
    [stubs?.length, "stub"],
    [faults && ruleCount(faults), "fault rule"],
  ] as const;
  // With a contract, all files are read again.
  const parts = counts.flatMap(([count, name]) =>
    count === undefined || (count === 0 && contract !== undefined) ? [] : [counted(count, name)],
  );
  const effects = [
    parts.join(", "),
    ...(contract === undefined ? [] : [resets.length === 0 ? "state kept" : resetTexts(resets).join("; ")]),
    ...(lost.length === 0 ? [] : [`removed ${counted(lost.length, "stub")} added by hand: ${listed(lost)}`]),
  ];
  const sentences = [
    ...(isSameContract ? ["Nothing changed in the contract."] : []),
    ...(parts.length === 0 ? [] : [`Applied: ${effects.join("; ")}.`]),
  ];
  return [sentences.join(" "), ...warnings].join("\n");
}
