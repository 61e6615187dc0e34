// Reads files of k6's JSON output into the calls of rounds, each call at its position in the plan.
import type { Warning } from "@roundtrip/runs";
import { K6Error } from "../basics/k6-error.ts";
import { callsIn, type K6Plan } from "../plan/k6-plan.ts";
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
  readonly warnings: readonly Warning[];
}

/** A generous limit: k6 writes a dozen lines of its own for each call, and a few each second. */
const linesPerCall = 100;
const linesBeside = 1_000_000;

/** Of all rounds together. Each call takes some 50 bytes of memory. */
const mostCalls = 20_000_000;

const closingBrace = 125;

interface OpenRound extends CompletedRound {
  readonly instances: ReportedInstance[];
}

/** The rounds of some files: one for each plan and T0. */
class OpenRounds {
  readonly rounds: OpenRound[] = [];
  readonly #plans: readonly K6Plan[];
  #calls = 0;

  constructor(plans: readonly K6Plan[]) {
    this.#plans = plans;
  }

  /** Adds the instance that a point describes. Gives what reads the points after it. Throws a K6Error for too many calls. */
  add(point: Parameters<typeof instanceOf>[0], file: string): PointReader {
    const { instance, plan } = instanceOf(point, this.#plans, file);
    const round = this.#roundOf(instance, plan);
    round.instances.push(instance);
    return new PointReader(round.plan, round.calls, round.instances.length - 1);
  }

  #roundOf(instance: ReportedInstance, plan: K6Plan): OpenRound {
    const known = this.rounds.find((round) => round.plan === plan && round.t0Ms === instance.t0Ms);
    if (known !== undefined) return known;
    this.#calls += callsIn(plan);
    if (this.#calls > mostCalls) {
      const message = `${instance.file}: with this file there are more than ${mostCalls.toLocaleString("en-US")} calls: import fewer files at once`;
      throw new K6Error("unreadable", message);
    }
    const round = { plan, t0Ms: instance.t0Ms, instances: [], calls: new CallTable(plan) };
    this.rounds.push(round);
    return round;
  }
}

interface FileRead {
  readonly hasInstance: boolean;
  /** The number of the last line if it is cut off; undefined where it is whole. */
  readonly cutLine: number | undefined;
}

/** Reads one file into its rounds. Rejects with a K6Error that has the file and the line. */
async function readFile(file: string, rounds: OpenRounds, mostLines: number): Promise<FileRead> {
  let reader: PointReader | undefined;
  const take = (text: string): void => {
    const point = pointOf(text);
    if (point === undefined) return;
    if (point.metric === "roundtrip_instance") reader = rounds.add(point, file);
    else if (reader !== undefined) reader.take(point);
    else if (point.metric.startsWith("roundtrip_"))
      throw new SyntaxError("a call comes before the instance that made it: the beginning of this file is missing");
  };
  const { isCut, line: last } = await eachLine(file, (bytes, start, end, line) => {
    if (line > mostLines) throw new K6Error("unreadable", `${file}: it has more lines than k6 writes for this plan`);
    const where = `${file}:${line}`;
    if (bytes[end - 1] !== closingBrace) throw new K6Error("unreadable", `${where}: the line is cut off`);
    if (!isWanted(bytes, start, end)) return;
    try {
      take(bytes.toString("utf8", start, end));
    } catch (cause) {
      if (cause instanceof K6Error) throw cause;
      const why = cause instanceof SyntaxError || cause instanceof RangeError ? cause.message : String(cause);
      throw new K6Error("unreadable", `${where}: ${why}`, { cause });
    }
  });
  return { hasInstance: reader !== undefined, cutLine: isCut ? last : undefined };
}

/**
 * Reads files of results, each of one instance or of several one after the other, of the same round or of several. Warns of a last line that is cut
 * off. Rejects with a K6Error: `unreadable` with file and line, `other-plan` for results of none of these plans.
 * @param mayBeEmpty accepts a file without an instance, as k6 leaves it when it ends before it begins
 */
export async function readResults(
  files: readonly string[],
  plans: readonly K6Plan[],
  mayBeEmpty = false,
): Promise<Results> {
  const open = new OpenRounds(plans);
  const warnings: Warning[] = [];
  const mostLines = linesBeside + linesPerCall * Math.max(...plans.map(callsIn), 0) * files.length;
  for (const file of files) {
    const { hasInstance, cutLine } = await readFile(file, open, mostLines);
    if (!hasInstance && !mayBeEmpty) {
      throw new K6Error(
        "unreadable",
        `${file}: not the output of a Roundtrip k6 script; give the file that k6 wrote with --out json=FILE`,
      );
    }
    if (cutLine !== undefined) {
      const message = `${file}:${cutLine}: the last line is cut off, because its instance was ended while it wrote; all lines before it are used`;
      warnings.push({ code: "results-cut", message });
    }
  }
  return { rounds: open.rounds.toSorted((one, other) => one.t0Ms - other.t0Ms), warnings };
}
