// Refuses studies that configure their servers where a server is a program that takes no configuration.
import type { PlannedArm } from "../study/planned-arm.ts";
import { RunnerError } from "../basics/runner-error.ts";
import { serviceFactors } from "../study/service-settings.ts";

/** What the servers of an arm would have to support, in words; undefined for nothing. */
function requirementOf({ server, services, tls, link }: PlannedArm["configuration"]): string | undefined {
  const [setting] = [...Object.keys(server), ...Object.keys(serviceFactors(services))];
  if (setting !== undefined) return `the setting ${setting}`;
  if (tls === true) return "TLS";
  return link === undefined ? undefined : "an emulated network";
}

/** Throws a RunnerError `bad-plan` for arms that configure servers that are programs. */
export function requireConfigurable(arms: readonly PlannedArm[]): void {
  for (const { study, stack, configuration } of arms) {
    if (configuration.version?.server(stack).kind !== "command") continue;
    const what = requirementOf(configuration);
    if (what === undefined) continue;
    throw new RunnerError(
      "bad-plan",
      `the study ${study} needs servers with ${what}, which a server started by a command does not support: choose another study`,
    );
  }
}
