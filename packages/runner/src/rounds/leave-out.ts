// Arms that cannot be measured are left out, and recorded with the reason: over networks that this machine does not support, those that write to a target, and those
// that one of two versions does not support.
import { type LeftOutArms, type LeftOutReason, leftOutText } from "@roundtrip/runs";
import type { Contract } from "@roundtrip/contract";
import { unlessAborted } from "../basics/concurrency.ts";
import { RunnerError } from "../basics/runner-error.ts";
import type { LinkKind } from "../link/link.ts";
import type { TaskAnswers } from "../processes/messages.ts";
import { type PairSettings, ProcessPair } from "./process-pair.ts";
import { serviceFactors } from "../study/configuration.ts";
import { linkKey } from "../study/link-settings.ts";
import type { ArmSelection, PlannedArm } from "../study/planned-arm.ts";
import type { Step } from "../study/study.ts";
import { versionlessKey } from "./run-rounds.ts";

function leftOutArms(arms: readonly PlannedArm[], reason: LeftOutReason): LeftOutArms {
  const work = arms.map(({ study, task, title }) => ({ study, task, title }));
  const distinct = new Map(work.map((done) => [JSON.stringify(done), done]));
  return { kind: "left-out", reason, arms: arms.length, work: [...distinct.values()] };
}

/** @param reasonOf undefined for an arm to measure */
export function selectArms(
  arms: readonly PlannedArm[],
  reasonOf: (arm: PlannedArm) => LeftOutReason | undefined,
): ArmSelection {
  const reasons = new Map(arms.map((arm) => [arm, reasonOf(arm)]));
  const byReason = Map.groupBy(arms, (arm) => JSON.stringify(reasons.get(arm)));
  const leftOut = [...byReason.values()].flatMap((some) => {
    const reason = some[0] && reasons.get(some[0]);
    return reason === undefined ? [] : [leftOutArms(some, reason)];
  });
  return { measured: arms.filter((arm) => reasons.get(arm) === undefined), leftOut };
}

/** Why nothing is left, for an error. */
export function leftOutTexts({ leftOut }: Pick<ArmSelection, "leftOut">): string {
  return leftOut.map(leftOutText).join("; ");
}

/** Rejects with a RunnerError `link-unavailable` if nothing is left. */
export async function leaveOutMissingLinks(arms: readonly PlannedArm[], kind: LinkKind): Promise<ArmSelection> {
  const lacking = new Map<string, LeftOutReason | undefined>();
  for (const { link } of arms.map(({ configuration }) => configuration)) {
    if (link !== undefined && !lacking.has(linkKey(link))) lacking.set(linkKey(link), await kind.lacks(link));
  }
  const selection = selectArms(arms, ({ configuration: { link } }) => link && lacking.get(linkKey(link)));
  if (selection.measured.length === 0) throw new RunnerError("link-unavailable", leftOutTexts(selection));
  return selection;
}

/** Keeps the arms that only read, and those of the run's own servers. */
export function leaveOutTargetWrites(arms: readonly PlannedArm[], contract: Contract): ArmSelection {
  const reads = new Set(contract.operations.filter(({ sideEffects }) => sideEffects === "none").map(({ id }) => id));
  const isRead = ({ operation }: Step): boolean => reads.has(operation);
  return selectArms(arms, ({ target, plan, setup }) =>
    target === undefined || [...setup, ...plan.steps].every(isRead) ? undefined : { code: "writes-to-target" },
  );
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

/** Starts base's servers once, makes all calls, and ends them. Rejects like a round that cannot begin, or with `bad-plan` if nothing is left. */
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
    if (!(await unlessAborted(asking, signal))) return { measured: arms, leftOut: [] };
    const found = new Map((await asking).flatMap((lacking) => [...lacking]));
    const answers = new Map([...found].map(([arm, answer]) => [versionlessKey(arm), answer]));
    const selection = selectArms(arms, (arm) => {
      const answer = answers.get(versionlessKey(arm));
      return answer === undefined ? undefined : { code: "unknown-to-base", answer };
    });
    if (selection.measured.length > 0) return selection;
    throw new RunnerError("bad-plan", `nothing is left to compare: ${leftOutTexts(selection)}`);
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
