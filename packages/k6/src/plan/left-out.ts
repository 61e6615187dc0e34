// What k6 cannot do, and which arms are left out for it.
import type { Warning } from "@roundtrip/analysis";
import type { Arm } from "@roundtrip/runner/parts";
import type { Stack } from "@roundtrip/stacks";

/** Why k6 cannot measure an arm; undefined where it can. */
export function whyNot({ plan, setup, configuration, saturation }: Arm, { k6 }: Stack): string | undefined {
  const { link, tls, client } = configuration;
  const [setting] = Object.keys(client);
  if (typeof k6 === "string") return k6;
  if ([...plan.steps, ...setup].some(({ needs }) => needs !== undefined)) return "k6 is given no streams";
  if (plan.driver !== "own") return `another generator, ${plan.driver}, makes their calls`;
  if (link !== undefined) return "k6 calls over the machine's own network";
  if (tls === true) return "k6 is given servers without TLS";
  if (setting !== undefined) return `${setting} is a setting of this project's own client`;
  if (plan.idleMs !== undefined) return "k6 keeps no connection idle for a stated time";
  if (saturation !== undefined) return "their rates are known only after a search, which bench does";
  return undefined;
}

/** One warning for each reason. */
export function leftOutWarnings(leftOut: readonly { readonly arm: Arm; readonly why: string }[]): readonly Warning[] {
  return [...Map.groupBy(leftOut, ({ why }) => why)].map(([why, some]) => {
    const studies = [...new Set(some.map(({ arm }) => arm.study))].join(", ");
    const arms = some.length === 1 ? "1 arm" : `${some.length} arms`;
    return { code: "k6-left-out", message: `${arms} of ${studies} left out: ${why}` };
  });
}
