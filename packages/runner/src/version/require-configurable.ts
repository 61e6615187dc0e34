// What a server is told when it starts, a program that only prints its address is not.
import type { PlannedArm } from "../study/planned-arm.ts";
import { RunnerError } from "../basics/runner-error.ts";
import { serviceFactors } from "../study/service-settings.ts";

/** What the servers of an arm would have to be told, in words; undefined for nothing. */
function toldTo({ server, services, tls, link }: PlannedArm["configuration"]): string | undefined {
  const [setting] = [...Object.keys(server), ...Object.keys(serviceFactors(services))];
  if (setting !== undefined) return `to set ${setting}`;
  if (tls === true) return "to speak TLS";
  return link === undefined ? undefined : "to be at the other end of a network";
}

/** Throws a RunnerError `bad-plan` for arms whose servers are programs and would have to be told something. */
export function requireConfigurable(arms: readonly PlannedArm[]): void {
  for (const { study, stack, configuration } of arms) {
    if (configuration.version?.server(stack).kind !== "command") continue;
    const what = toldTo(configuration);
    if (what === undefined) continue;
    throw new RunnerError(
      "bad-plan",
      `the study ${study} wants its servers ${what}, and a program that only prints its address cannot be told: choose another study`,
    );
  }
}
