// Warnings about arms that were measured on targets.
import type { Warning } from "@roundtrip/analysis";
import type { PlannedArm } from "../study/planned-arm.ts";
import { stackKey } from "../study/configuration.ts";

/** Warnings for these arms; none when the run started all servers itself. */
export function targetWarnings(arms: readonly PlannedArm[]): readonly Warning[] {
  const elsewhere = arms.filter(({ target }) => target !== undefined);
  if (elsewhere.length === 0) return [];
  const places = [...new Map(elsewhere.map((arm) => [stackKey(arm.configuration), arm])).values()];
  const titles = places.map(({ title }) => title).join(", ");
  const warnings: Warning[] = places.map(({ title, target }) => ({
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
