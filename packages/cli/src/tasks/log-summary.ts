// What a log has, and what of it is not in the files, in words.
import { counted } from "@roundtrip/analysis";
import type { ContractFlags } from "../contract/contract-source.ts";
import type { LoggedArrivals } from "./arrivals.ts";
import type { ReadCounts } from "./read-log.ts";
import type { LoggedRequests } from "./logged-requests.ts";
import { mostRequestCharacters } from "./request-sample.ts";
import { arrivalsNote, writable } from "./tasks-file.ts";

export interface ReadLogs {
  readonly requests: LoggedRequests;
  readonly counts: ReadCounts;
  /** Their paths. */
  readonly logs: readonly string[];
}

export interface TaskFiles {
  readonly tasks: string;
  readonly arrivals: string;
}

const mostGroups = 10;

/** Fewer arrivals in a round say little about a server. */
const fewArrivals = 30;

const count = (value: number): string => value.toLocaleString("en-US");

function leftOut({ requests, counts: lineCounts }: ReadLogs): readonly string[] {
  const { uses, requestsEach } = writable(requests.uses);
  const sampled = uses.filter(({ sample }) => sample.known !== "nothing" && sample.count > requestsEach).length;
  const tooLarge = requests.uses.reduce((sum, { sample }) => sum + sample.tooLarge, 0);
  const beyond = requests.uses.length - uses.length;
  const lines = lineCounts.otherLines + lineCounts.longLines;
  const parts = [
    ...(requests.isFull
      ? [`the log has more requests than the first ${count(requests.counts.entries)}, which were read`]
      : []),
    ...(lines > 0 ? [`${counted(lines, "line")} in no known form`] : []),
    ...(requests.counts.failed > 0 ? [`${counted(requests.counts.failed, "request")} answered with an error`] : []),
    ...(sampled > 0 ? [`of ${counted(sampled, "operation")}, all requests but ${requestsEach} drawn evenly`] : []),
    ...(tooLarge > 0 ? [`${counted(tooLarge, "request")} above ${count(mostRequestCharacters)} characters`] : []),
    ...(beyond > 0 ? [`${counted(beyond, "operation")} beyond the ${uses.length} most frequent`] : []),
    ...[...requests.writer.withheld].map(([field, why]) => `the field ${field}: ${why}`),
  ];
  return parts.map((part) => `Left out: ${part}`);
}

function headline({ requests, logs }: ReadLogs): string {
  const operations = counted(writable(requests.uses).uses.length, "operation");
  return `${counted(requests.counts.entries, "request")} in ${logs.join(", ")}: ${count(requests.counts.mapped)} are calls of ${operations}`;
}

/** Comments for the head of the tasks file. */
export function logNotes(read: ReadLogs, arrivals: LoggedArrivals): readonly string[] {
  return [
    headline(read),
    ...unmappedLines(read).slice(0, 1),
    ...leftOut(read),
    ...(arrivals.momentsMs.length > 0 ? [arrivalsNote(arrivals)] : []),
  ];
}

function operationLines({ requests }: ReadLogs): readonly string[] {
  const { uses } = writable(requests.uses);
  const sum = uses.reduce((total, { sample }) => total + sample.count, 0);
  const width = Math.max(...uses.map(({ operation }) => operation.method.name.length));
  const known = {
    all: "",
    "a part": "  the log has a part of the requests",
    nothing: "  the log has no requests: one is made up",
  };
  return uses.map(({ operation, sample }) => {
    const share = `${((100 * sample.count) / sum).toFixed(1)} %`;
    return `  ${operation.method.name.padEnd(width)}  ${share.padStart(7)}  ${count(sample.count).padStart(9)}${known[sample.known]}`;
  });
}

function unmappedLines({ requests }: ReadLogs): readonly string[] {
  const groups = requests.unmapped.groups();
  if (groups.length === 0) return [];
  const shown = groups.slice(0, mostGroups);
  const rest = groups.slice(mostGroups).reduce((sum, group) => sum + group.count, 0);
  return [
    `Not mapped: ${counted(requests.unmapped.count, "request")}`,
    ...shown.map(
      ({ request, count: times, why }) => `  ${count(times).padStart(9)}  ${request}${why === "" ? "" : `: ${why}`}`,
    ),
    ...(rest > 0 ? [`  ${count(rest).padStart(9)}  other paths (--json lists them)`] : []),
  ];
}

/** A word of a command line, quoted where a shell would split it. */
function word(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function nextCommand(arrivals: LoggedArrivals, files: TaskFiles, { contract }: ContractFlags): string {
  return [
    "roundtrip bench",
    ...(contract === undefined ? [] : [`--contract ${word(contract.join(","))}`]),
    `--tasks ${word(files.tasks)}`,
    ...(arrivals.momentsMs.length > 0 ? [`--arrivals ${word(files.arrivals)}`] : []),
  ].join(" ");
}

export function logSummary(read: ReadLogs, arrivals: LoggedArrivals, files: TaskFiles, flags: ContractFlags): string {
  const { length } = arrivals.momentsMs;
  const few =
    length > 0 && length < fewArrivals
      ? ["Few arrivals: --stretch with a longer window and a higher speed replays more of the log in the same time"]
      : [];
  return [
    headline(read),
    ...operationLines(read),
    ...unmappedLines(read),
    ...leftOut(read),
    `Wrote ${files.tasks}`,
    ...(length > 0
      ? [`Wrote ${files.arrivals}, ${arrivalsNote(arrivals)}`]
      : ["The log has no times, so that there are no arrivals"]),
    ...few,
    `Next: ${nextCommand(arrivals, files, flags)}`,
    "",
  ].join("\n");
}
