// Arms that cannot be measured are left out with a warning: over networks that this machine does not support, those that write to a target, and those
// that one of two versions does not support.
import type { Warning } from "@roundtrip/runs";
import type { Contract } from "@roundtrip/contract";
import { unlessAborted } from "../basics/concurrency.ts";
import { RunnerError } from "../basics/runner-error.ts";
import type { LinkKind } from "../link/link.ts";
import type { TaskAnswers } from "../processes/messages.ts";
import { type PairSettings, ProcessPair } from "./process-pair.ts";
import { serviceFactors, stackKey } from "../study/configuration.ts";
import { linkKey } from "../study/link-settings.ts";
import type { ArmSelection, PlannedArm } from "../study/planned-arm.ts";
import type { Step } from "../study/study.ts";
import { versionlessKey } from "./run-rounds.ts";

/** Rejects with a RunnerError `link-unavailable` if nothing is left. */
export async function leaveOutMissingLinks(arms: readonly PlannedArm[], kind: LinkKind): Promise<ArmSelection> {
  const lacking = new Map<string, string | undefined>();
  for (const { link } of arms.map(({ configuration }) => configuration)) {
    if (link !== undefined && !lacking.has(linkKey(link))) lacking.set(linkKey(link), await kind.lacks(link));
  }
  const whyNot = ({ configuration: { link } }: PlannedArm): string | undefined => link && lacking.get(linkKey(link));
  const { undefined: measured = [], ...leftOut } = Object.groupBy(arms, (arm) => String(whyNot(arm)));
  const reasons = Object.entries(leftOut);
  if (measured.length === 0) throw new RunnerError("link-unavailable", reasons.map(([why]) => why).join("; "));
  const warnings = reasons.map(([why, some = []]) => {
    const studies = [...new Set(some.map(({ study }) => study))].join(" and ");
    return { code: "link-left-out", message: `${studies} is without a part of its networks: ${why}` };
  });
  return { measured, warnings };
}

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

/** The codes for unknown operations and fields; GraphQL calls such a request invalid. */
const unknownCodes = ["UNIMPLEMENTED", "INVALID_ARGUMENT"] as const;

/** The arms that a server does not support, with its error messages. */
async function lackingOf(pair: ProcessPair): Promise<ReadonlyMap<PlannedArm, string>> {
  await pair.start();
  const steps = [...new Set(pair.arms.flatMap(({ setup }) => setup))];
  const { lacking } = await pair.ask<TaskAnswers>({ ask: "answers", lacks: unknownCodes, setup: steps });
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
    const found = new Map((await asking).flatMap((lacking) => [...lacking]));
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
