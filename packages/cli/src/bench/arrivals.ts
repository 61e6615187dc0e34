// `--arrivals`: when tasks begin, as typed: at a rate, along a ramp of rates, or from a recording.
import type { Study, Task } from "@roundtrip/runner";
import { CliError } from "../basics/cli-error.ts";
import { fileLimitsMiB } from "../basics/read-input.ts";
import { readText } from "@roundtrip/contract/text";
import { constantRate, type Pacer, poisson, ramp, recorded } from "@roundtrip/runner/pacers";
import { RunnerError } from "@roundtrip/runner/error";
import { fileFault } from "@roundtrip/runs/files";
import { InvalidArgumentError, type Option } from "commander";
import { basename } from "node:path";
import { duration, valueOption } from "../options/options.ts";

/** Number of HTTP/1.1 connections, so that calls hardly ever wait for one in the client. */
const mostConnections = 200;

/** One schedule is one block, because a ramp or recording cannot be split. Drivers such as autocannon, which are closed-loop only, are left out. */
function pacedTask(task: Task, { pacer, tasks }: TypedArrivals, calls: number | undefined): readonly Task[] {
  const variants = Object.fromEntries(Object.entries(task.variants).filter(([, { driver }]) => driver === "own"));
  if (Object.keys(variants).length === 0) return [];
  const count = calls ?? tasks ?? task.tasksPerRound;
  const callers = Math.max(task.callers, Math.min(count, mostConnections));
  return [{ ...task, variants, load: { pacer }, callers, tasksPerRound: count, tasksPerBlock: count }];
}

/** Throws a usage error for studies with their own loads, and for recordings that are too short. */
export function withArrivals(
  studies: readonly Study[],
  arrivals: TypedArrivals,
  calls: number | undefined,
): readonly Study[] {
  const loaded = studies.find(({ tasks }) => tasks.some(({ load, saturation }) => load ?? saturation));
  if (loaded !== undefined) {
    throw new CliError("usage", `--arrivals is for studies without a load of their own, which ${loaded.name} has`);
  }
  if (calls !== undefined && arrivals.pacer.name === "recorded" && calls > (arrivals.tasks ?? calls)) {
    throw new CliError(
      "usage",
      `the recording of --arrivals has ${arrivals.tasks} moments, fewer than --calls ${calls}`,
    );
  }
  return studies.map((study) => ({ ...study, tasks: study.tasks.flatMap((task) => pacedTask(task, arrivals, calls)) }));
}

export interface TypedArrivals {
  readonly pacer: Pacer;
  /** The tasks of a recording, or the expected ones of a ramp; undefined for an unlimited rate. */
  readonly tasks: number | undefined;
}

const form = "must be poisson:RATE, constant:RATE, ramp:FROM..TO/DURATION, or a file with a moment in ms on each line";

/** Parses a number. The pacer checks whether it is a valid rate or time. */
function numberOf(text: string): number | undefined {
  const number = text.trim() === "" ? Number.NaN : Number(text);
  return Number.isNaN(number) ? undefined : number;
}

function rateOf(text: string): number {
  const rate = numberOf(text);
  if (rate === undefined) throw new InvalidArgumentError(form);
  return rate;
}

function rampOf(text: string): TypedArrivals {
  const [, from = "", to = "", over = ""] = /^(.+?)\.\.([^/]+)\/(.+)$/.exec(text) ?? [];
  if (over === "") throw new InvalidArgumentError(form);
  const [fromHz, toHz, overMs] = [rateOf(from), rateOf(to), duration(over)];
  const pacer = ramp({ fromHz, toHz, overMs });
  return { pacer, tasks: Math.max(1, Math.round((((fromHz + toHz) / 2) * overMs) / 1_000)) };
}

/** Reads a recording: on each line a time in milliseconds from its start. Ignores empty lines and those that begin with #. */
function recordingOf(path: string): TypedArrivals {
  let text: string;
  try {
    text = readText(path, fileLimitsMiB.arrivals * 2 ** 20);
  } catch (thrown) {
    throw new InvalidArgumentError(`${form}; as a file it cannot be read (${fileFault(thrown)})`);
  }
  const startsMs = text.split(/\r?\n/).flatMap((line, index) => {
    const moment = line.trim();
    if (moment === "" || moment.startsWith("#")) return [];
    const atMs = numberOf(moment);
    if (atMs === undefined) {
      throw new InvalidArgumentError(`line ${index + 1}, "${moment.slice(0, 40)}", is no moment in milliseconds`);
    }
    return atMs;
  });
  if (startsMs.length === 0) throw new InvalidArgumentError("the file holds no moments");
  return { pacer: recorded({ recording: basename(path), startsMs }), tasks: startsMs.length };
}

/** Throws a usage error for an invalid value. */
export function typedArrivals(value: string): TypedArrivals {
  const [, kind, rest = ""] = /^(poisson|constant|ramp):(.*)$/.exec(value.trim()) ?? [];
  try {
    if (kind === undefined) return recordingOf(value.trim());
    if (kind === "ramp") return rampOf(rest);
    const make = kind === "poisson" ? poisson : constantRate;
    return { pacer: make({ rateHz: rateOf(rest) }), tasks: undefined };
  } catch (thrown) {
    if (thrown instanceof RunnerError) throw new InvalidArgumentError(thrown.message);
    throw thrown;
  }
}

export const arrivalsOption = (): Option =>
  valueOption(
    "effort",
    "--arrivals <pace>",
    "when tasks begin, such as poisson:200 (default: one after another)",
  ).argParser(typedArrivals);
