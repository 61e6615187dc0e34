// Leaves out arms over networks that this machine does not support, with a warning.
import type { ArmSelection, PlannedArm } from "../study/planned-arm.ts";
import { RunnerError } from "../basics/runner-error.ts";
import type { LinkKind } from "./link.ts";
import { linkKey, type LinkSettings } from "../study/link-settings.ts";

/** Rejects with a RunnerError `link-unavailable` if nothing is left. */
export async function leaveOutMissingLinks(arms: readonly PlannedArm[], kind: LinkKind): Promise<ArmSelection> {
  const networks = new Map<string, LinkSettings>();
  for (const { configuration } of arms) {
    if (configuration.link !== undefined) networks.set(linkKey(configuration.link), configuration.link);
  }
  const lacking = new Map<string, string>();
  for (const [key, settings] of networks) {
    const why = await kind.lacks(settings);
    if (why !== undefined) lacking.set(key, why);
  }
  const measured = arms.filter(({ configuration: { link } }) => link === undefined || !lacking.has(linkKey(link)));
  const reasons = [...new Set(lacking.values())];
  if (measured.length === 0) throw new RunnerError("link-unavailable", reasons.join("; "));
  const studies = (why: string): string =>
    [
      ...new Set(
        arms
          .filter(({ configuration: { link } }) => link !== undefined && lacking.get(linkKey(link)) === why)
          .map(({ study }) => study),
      ),
    ].join(" and ");
  const warnings = reasons.map((why) => ({
    code: "link-left-out",
    message: `${studies(why)} is without a part of its networks: ${why}`,
  }));
  return { measured, warnings };
}
