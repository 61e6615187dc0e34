// From files of k6's JSON output to the calls of rounds: what every instance told, at the places that the plan has for it.
import type { Warning } from "@roundtrip/analysis";
import { K6Error } from "../k6-error.ts";
import type { K6Plan } from "../plan/k6-plan.ts";
import { CallBook, callsPerTask } from "./call-book.ts";
import { eachLine } from "./each-line.ts";
import { instanceOf, type ToldInstance } from "./instance-of.ts";
import { isWanted, pointOf } from "./point.ts";
import { PointReader } from "./point-reader.ts";

/** One round as it was done: what instances with the same plan and the same T0 told. */
export interface DoneRound {
  readonly plan: K6Plan;
  /** In milliseconds of the time of day. */
  readonly t0Ms: number;
  readonly instances: readonly ToldInstance[];
  readonly calls: CallBook;
}

export interface Results {
  /** In the order in which they began. */
  readonly rounds: readonly DoneRound[];
  readonly warnings: readonly Warning[];
}

/** Room for what k6 writes of its own around a call, generously: a dozen lines, and a few each second. */
const linesPerCall = 100;
const linesBeside = 1_000_000;

/** Of all rounds together: some 50 bytes each are held. */
const mostCalls = 20_000_000;

function callsIn(plan: K6Plan): number {
  const steps = callsPerTask(plan);
  return plan.cells.reduce((sum, { tasks }, index) => sum + tasks * (steps[index] ?? 0), 0);
}

interface OpenRound extends DoneRound {
  readonly instances: ToldInstance[];
}

/**
 * Reads files of results, each of one instance or of several one after the other, of the same round or of several. A last line that is cut off is
 * warned of. Rejects with a K6Error: `unreadable` with file and line, `other-plan` for results of none of these plans.
 * @param mayBeEmpty whether a file may tell of no instance, as that of one does which ended before it began
 */
export async function readResults(
  files: readonly string[],
  plans: readonly K6Plan[],
  mayBeEmpty = false,
): Promise<Results> {
  const rounds: OpenRound[] = [];
  const warnings: Warning[] = [];
  const mostLines = linesBeside + linesPerCall * Math.max(...plans.map(callsIn), 0) * files.length;
  let held = 0;
  const roundOf = (instance: ToldInstance, plan: K6Plan): OpenRound => {
    const known = rounds.find((round) => round.plan === plan && round.t0Ms === instance.t0Ms);
    if (known !== undefined) return known;
    held += callsIn(plan);
    if (held > mostCalls) {
      const message = `${instance.file}: with it there are more than ${mostCalls.toLocaleString("en-US")} calls: import fewer files at once`;
      throw new K6Error("unreadable", message);
    }
    const round = { plan, t0Ms: instance.t0Ms, instances: [], calls: new CallBook(plan) };
    rounds.push(round);
    return round;
  };
  for (const file of files) {
    let reader: PointReader | undefined;
    const { isCut, line: last } = await eachLine(file, (bytes, start, end, line) => {
      if (line > mostLines) throw new K6Error("unreadable", `${file}: it has more lines than k6 writes for this plan`);
      const where = `${file}:${line}`;
      if (bytes[end - 1] !== closingBrace) throw new K6Error("unreadable", `${where}: the line is cut off`);
      if (!isWanted(bytes, start, end)) return;
      try {
        const point = pointOf(bytes.toString("utf8", start, end));
        if (point === undefined) return;
        if (point.metric === "roundtrip_instance") {
          const { instance, plan } = instanceOf(point, plans, file);
          const round = roundOf(instance, plan);
          round.instances.push(instance);
          reader = new PointReader(round.plan, round.calls, round.instances.length - 1);
        } else if (reader !== undefined) reader.take(point);
        else if (point.metric.startsWith("roundtrip_")) {
          throw new SyntaxError(
            "a call stands before the instance that made it: the beginning of this file is missing",
          );
        }
      } catch (cause) {
        if (cause instanceof K6Error) throw cause;
        const why = cause instanceof SyntaxError || cause instanceof RangeError ? cause.message : String(cause);
        throw new K6Error("unreadable", `${where}: ${why}`, { cause });
      }
    });
    if (reader === undefined && !mayBeEmpty) {
      throw new K6Error(
        "unreadable",
        `${file}: no instance of a Roundtrip script tells of itself in it: it takes what k6 wrote by --out json=FILE`,
      );
    }
    if (isCut) {
      const message = `${file}:${last}: the last line is cut off: its instance ended before it had written all; what stands before is kept`;
      warnings.push({ code: "results-cut", message });
    }
  }
  return { rounds: rounds.toSorted((one, other) => one.t0Ms - other.t0Ms), warnings };
}

const closingBrace = 125;
