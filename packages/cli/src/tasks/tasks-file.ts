// The files that `roundtrip tasks` writes: tasks with one mix, and arrivals. People read and change them.
import type { JsonValue } from "@bufbuild/protobuf";
import { mixLimits } from "@roundtrip/bench/own-contract";
import { Document, type Node, YAMLMap } from "yaml";
import type { LoggedArrivals } from "./arrivals.ts";
import type { OperationUse } from "./logged-requests.ts";
import { mostRequests } from "./request-sample.ts";

export interface TasksToWrite {
  /** Of the study and of its task. */
  readonly name: string;
  readonly uses: readonly OperationUse[];
  /** Executions in a round. */
  readonly calls: number;
  /** Lines about the log and what of it is not in the file. */
  readonly notes: readonly string[];
}

/** The operations that a mix has, and how many requests of each. */
export function writable(uses: readonly OperationUse[]): {
  readonly uses: readonly OperationUse[];
  readonly requestsEach: number;
} {
  const kept = uses.filter(({ sample }) => sample.requests(1).length > 0).slice(0, mixLimits.operations);
  return {
    uses: kept,
    requestsEach: Math.min(mostRequests, Math.floor(mixLimits.requests / Math.max(kept.length, 1))),
  };
}

/** Names of methods, with as many parts of the whole id as make them unique. */
function namesOf(uses: readonly OperationUse[], all: readonly string[]): readonly string[] {
  return uses.map(({ operation }) => {
    const parts = operation.id.split(".");
    for (let from = parts.length - 1; from > 0; from -= 1) {
      const name = parts.slice(from).join(".");
      if (all.filter((id) => id === name || id.endsWith(`.${name}`)).length === 1) return name;
    }
    return operation.id;
  });
}

const known = {
  all: "",
  "a part": "the log has a part of these requests; the rest is made up",
  nothing: "the log does not have these requests: this one is made up",
} as const;

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

/** Equal requests beside each other, as seldom as their proportions allow. */
function shortened(requests: readonly JsonValue[]): readonly JsonValue[] {
  const groups = [...Map.groupBy(requests, (request) => JSON.stringify(request)).values()];
  const divisor = groups.reduce((common, { length }) => greatestDivisor(common, length), 0);
  return groups.flatMap((group) => group.slice(0, group.length / divisor));
}

/** A comment of several lines. A line of the log must not end it. */
function comment(lines: readonly string[]): string {
  return lines.map((line) => ` ${line.replaceAll(/[\r\n]+/g, " ")}`).join("\n");
}

/** @param ids of all operations of the contract. */
export function tasksText({ name, uses: all, calls, notes }: TasksToWrite, ids: readonly string[]): string {
  const { uses, requestsEach } = writable(all);
  const names = namesOf(uses, ids);
  const sum = uses.reduce((total, { sample }) => total + sample.count, 0);
  const document = new Document();
  const mix = uses.map(({ sample }, index) => {
    const requests = document.createNode(
      sample.known === "nothing" ? sample.requests(1) : shortened(sample.requests(requestsEach)),
    );
    for (const item of (requests as Node & { readonly items: readonly Node[] }).items) {
      if (item instanceof YAMLMap) item.flow = true;
    }
    const entry = document.createNode({
      operation: names[index],
      share: Math.max(0.01, Math.round((10_000 * sample.count) / sum) / 100),
      requests,
    });
    const text = known[sample.known];
    if (text !== "") entry.commentBefore = comment([text]);
    return entry;
  });
  document.contents = document.createNode({ name, tasks: [{ name: "mix", calls, mix }] }) as typeof document.contents;
  document.commentBefore = comment([
    ...notes,
    "Shares are relative; a request that is listed twice is made twice as often.",
  ]);
  return document.toString({ lineWidth: 0 });
}

const date = (ms: number): string => new Date(ms).toISOString();

/** A length of time for people: `3 s`, `24.0 h`. */
function lengthText(ms: number): string {
  if (ms < 120_000) return `${Math.round(ms / 100) / 10} s`;
  return ms < 7_200_000 ? `${Math.round(ms / 6_000) / 10} min` : `${Math.round(ms / 360_000) / 10} h`;
}

/** One line about the stretch of the log. */
export function arrivalsNote({ momentsMs, fromMs, windowMs, logMs, areDrawn, speed }: LoggedArrivals): string {
  const stretch =
    logMs <= windowMs
      ? `all ${lengthText(logMs)} of the log`
      : `the busiest ${lengthText(windowMs)} of ${lengthText(logMs)}`;
  const drawn = areDrawn ? "; the log has whole seconds, so moments within a second are drawn" : "";
  const faster = speed === 1 ? "" : `, ${speed} times as fast`;
  return `${momentsMs.length.toLocaleString("en-US")} arrivals: ${stretch}, from ${date(fromMs)}${faster}${drawn}`;
}

export function arrivalsText(arrivals: LoggedArrivals): string {
  return `# ${arrivalsNote(arrivals)}\n# Milliseconds from the first one.\n${arrivals.momentsMs.join("\n")}\n`;
}
