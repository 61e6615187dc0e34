// Leaves out arms, in both versions, whose calls the base version does not support yet, with a warning.
import type { Warning } from "@roundtrip/analysis";
import type { PlannedArm, ArmSelection } from "../study/planned-arm.ts";
import { stackKey } from "../study/configuration.ts";
import { ProcessPair, type PairSettings } from "../pair/process-pair.ts";
import type { AnswersAnswer } from "../processes/messages.ts";
import { RunnerError } from "../basics/runner-error.ts";
import { unlessAborted } from "../basics/concurrency.ts";
import { versionlessKey } from "./side-by-side-run.ts";
import { serviceFactors } from "../study/service-settings.ts";

/** The codes for unknown operations and fields; GraphQL calls such a request invalid. */
const unknownCodes = ["UNIMPLEMENTED", "INVALID_ARGUMENT"] as const;

/** The arms that a server does not support, with its error messages. */
async function lackingOf(pair: ProcessPair): Promise<ReadonlyMap<PlannedArm, string>> {
  await pair.start();
  const steps = [...new Set(pair.arms.flatMap(({ setup }) => setup))];
  const { lacking } = await pair.ask<AnswersAnswer>({ ask: "answers", lacks: unknownCodes, setup: steps });
  return new Map(pair.arms.flatMap((arm) => (lacking[arm.id] === undefined ? [] : [[arm, lacking[arm.id] ?? ""]])));
}

function warningOf(lacking: ReadonlyMap<PlannedArm, string>): readonly Warning[] {
  const groups = Map.groupBy(lacking, ([{ study, task }]) => `${study} ${task}`);
  return [...groups].map(([what, arms]) => {
    const titles = [
      ...new Map(arms.map(([{ configuration, title }]) => [stackKey(configuration), title])).values(),
    ].join(", ");
    const answered = arms[0]?.[1] ?? "";
    return { code: "left-out", message: `${what} over ${titles} left out: base does not know it ("${answered}")` };
  });
}

/**
 * Starts base's servers once and makes all calls. Rejects like a round that cannot begin, or with `bad-plan` if nothing is left. Ends its processes.
 */
export async function leaveOutUnsupported(
  arms: readonly PlannedArm[],
  settings: PairSettings,
  signal: AbortSignal,
): Promise<ArmSelection> {
  const ofBase = arms.filter(({ configuration: { version } }) => version?.name === "base");
  const pairs = [...Map.groupBy(ofBase, ({ configuration }) => configuration.id).values()].flatMap((own) =>
    own.slice(0, 1).map(({ configuration }) => new ProcessPair(configuration, own, settings)),
  );
  try {
    const asking = Promise.all(pairs.map(lackingOf));
    // If it is interrupted, nothing is measured anyway.
    if (!(await unlessAborted(asking, signal))) return { measured: arms, warnings: [] };
    const found = new Map((await asking).flatMap((one) => [...one]));
    const keys = new Set([...found.keys()].map(versionlessKey));
    const measured = arms.filter((arm) => !keys.has(versionlessKey(arm)));
    const warnings = warningOf(found);
    if (measured.length > 0) return { measured, warnings };
    throw new RunnerError(
      "bad-plan",
      ["nothing is left to compare", ...warnings.map(({ message }) => message)].join(": "),
    );
  } finally {
    await Promise.all(pairs.map((pair) => pair.stop(true)));
  }
}

/** A requirement of an arm on its servers, in words; undefined for none. */
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
