// Why k6 does not support an arm, and the warnings about arms that are left out.
import type { Warning } from "@roundtrip/analysis";
import type { PlannedArm } from "@roundtrip/runner/parts";
import type { Stack } from "@roundtrip/stacks";

/** Why k6 cannot measure an arm; undefined if it can. */
export function unsupportedReason(
  { plan, setup, configuration, saturation }: PlannedArm,
  { k6 }: Stack,
): string | undefined {
  const { link, tls, client } = configuration;
  const [setting] = Object.keys(client);
  if (typeof k6 === "string") return k6;
  if ([...plan.steps, ...setup].some(({ needs }) => needs !== undefined)) return "streams are not supported with k6";
  if (plan.driver !== "own") return `their load generator is ${plan.driver}`;
  if (link !== undefined) return "emulated networks are not supported with k6";
  if (tls === true) return "TLS is not supported with k6";
  if (setting !== undefined) return `${setting} is a setting of Roundtrip's own client`;
  if (plan.idleMs !== undefined) return "idle connections are not supported with k6";
  if (saturation !== undefined) return "their rates are known only after a search by bench";
  return undefined;
}

/** One warning for each reason. */
export function leftOutWarnings(
  leftOut: readonly { readonly arm: PlannedArm; readonly why: string }[],
): readonly Warning[] {
  return [...Map.groupBy(leftOut, ({ why }) => why)].map(([why, some]) => {
    const studies = [...new Set(some.map(({ arm }) => arm.study))].join(", ");
    const arms = some.length === 1 ? "1 arm" : `${some.length} arms`;
    return { code: "k6-left-out", message: `${arms} of ${studies} left out: ${why}` };
  });
}
