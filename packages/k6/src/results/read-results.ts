// Reads files of k6's JSON output into the calls of rounds, each call at its position in the plan.
import type { RunEvent } from "@roundtrip/runs";
import { K6Error } from "../basics/k6-error.ts";
import type { K6Plan } from "../plan/k6-plan.ts";
import { CallTable } from "./call-table.ts";
import { eachLine, isWanted, pointOf, PointReader } from "./points.ts";
import { instanceOf, type ReportedInstance } from "./instance-of.ts";

/** One round as it was run: the results of all instances with the same plan and the same T0. */
export interface CompletedRound {
  readonly plan: K6Plan;
  /** In milliseconds since 1970. */
  readonly t0Ms: number;
  readonly instances: readonly ReportedInstance[];
  readonly calls: CallTable;
}

export interface Results {
  /** In the order in which they began. */
  readonly rounds: readonly CompletedRound[];
  /** The files with an incomplete last line. */
  readonly cuts: readonly RunEvent[];
}

interface OpenRound extends CompletedRound {
  readonly instances: ReportedInstance[];
}

/** The round of an instance: one for each plan and T0. */
function roundOf({ t0Ms }: ReportedInstance, plan: K6Plan, rounds: OpenRound[]): OpenRound {
  const known = rounds.find((round) => round.plan === plan && round.t0Ms === t0Ms);
  if (known !== undefined) return known;
  const round = { plan, t0Ms, instances: [], calls: new CallTable(plan) };
  rounds.push(round);
  return round;
}

interface FileRead {
  readonly hasInstance: boolean;
  /** The number of the last line if it is cut off; undefined where it is whole. */
  readonly cutLine: number | undefined;
}

/** Reads one file into its rounds. Rejects with a K6Error that has the file and the line. */
async function readFile(file: string, plans: readonly K6Plan[], rounds: OpenRound[]): Promise<FileRead> {
  let reader: PointReader | undefined;
  const take = (text: string): void => {
    const point = pointOf(text);
    if (point === undefined) return;
    if (point.metric === "roundtrip_instance") {
      const { instance, plan } = instanceOf(point, plans, file);
      const round = roundOf(instance, plan, rounds);
      round.instances.push(instance);
      reader = new PointReader(plan, round.calls, round.instances.length - 1);
    } else if (reader !== undefined) reader.take(point);
    else if (point.metric.startsWith("roundtrip_"))
      throw new SyntaxError("a call comes before the instance that made it: the beginning of this file is missing");
  };
  const { isCut, line: last } = await eachLine(file, (text, line) => {
    try {
      if (isWanted(text)) take(text);
    } catch (cause) {
      if (cause instanceof K6Error) throw cause;
      const why = cause instanceof SyntaxError ? cause.message : String(cause);
      throw new K6Error("unreadable", `${file}:${line}: ${why}`, { cause });
    }
  });
  return { hasInstance: reader !== undefined, cutLine: isCut ? last : undefined };
}

/**
 * Reads files of results, each of one instance or of several one after the other, of the same round or of several. Notes a last line that is cut
 * off. Rejects with a K6Error: `unreadable` with file and line, `other-plan` for results of none of these plans.
 * @param mayBeEmpty accepts a file without an instance, as k6 leaves it when it ends before it begins
 */
export async function readResults(
  files: readonly string[],
  plans: readonly K6Plan[],
  mayBeEmpty = false,
): Promise<Results> {
  const rounds: OpenRound[] = [];
  const cuts: RunEvent[] = [];
  for (const file of files) {
    const { hasInstance, cutLine } = await readFile(file, plans, rounds);
    if (!hasInstance && !mayBeEmpty) {
      throw new K6Error(
        "unreadable",
        `${file}: not the output of a Roundtrip k6 script; give the file that k6 wrote with --out json=FILE`,
      );
    }
    if (cutLine !== undefined) cuts.push({ kind: "results-cut", file, line: cutLine });
  }
  return { rounds: rounds.toSorted((one, other) => one.t0Ms - other.t0Ms), cuts };
}
