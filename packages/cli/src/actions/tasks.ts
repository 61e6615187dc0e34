// The action of `roundtrip tasks`: reads logs, writes tasks and arrivals, and prints what it could not map.
import { basename, extname } from "node:path";
import { CliError } from "../basics/cli-error.ts";
import { unbroken } from "../basics/interruption.ts";
import { loadContractFrom, type ContractFlags } from "../contract/contract-source.ts";
import { requireNewFiles, writeOutput } from "../output/output-file.ts";
import { arrivalsOf, type LoggedArrivals, type StretchOptions } from "../tasks/arrivals.ts";
import { logEntries, type ReadCounts } from "../tasks/read-log.ts";
import type { FieldMap } from "../tasks/log-formats.ts";
import { logNotes, logSummary, type ReadLogs, type TaskFiles } from "../tasks/log-summary.ts";
import { LoggedRequests } from "../tasks/logged-requests.ts";
import { arrivalsText, tasksText, writable } from "../tasks/tasks-file.ts";

interface TasksFlags extends ContractFlags {
  readonly basePath?: string;
  readonly fields?: FieldMap;
  readonly stretch?: Partial<StretchOptions>;
  readonly out: string;
  readonly json: boolean;
}

const usualWindowMs = 3_000;

/** Executions in a round: as many as there are arrivals, but no fewer. */
const leastCalls = 60;

function filesFor(out: string): TaskFiles {
  const extension = extname(out);
  const stem = extension === "" ? out : out.slice(0, -extension.length);
  return { tasks: out, arrivals: `${stem}.arrivals.txt` };
}

function requireCalls({ requests, counts, logs }: ReadLogs): void {
  if (writable(requests.uses).uses.length > 0) return;
  const [group] = requests.unmapped.groups();
  const seen =
    requests.counts.entries === 0
      ? `it has no requests in a known form (${counts.lines} lines)`
      : `none of its ${requests.counts.entries} requests is an answered call of the contract` +
        (group === undefined
          ? ""
          : `; the most frequent is ${group.request}${group.why === "" ? "" : `: ${group.why}`}`);
  throw new CliError(
    "usage",
    `there are no tasks in ${logs.join(", ")}: ${seen}; --base-path names what comes before the contract's paths`,
  );
}

function studyName(out: string): string {
  const stem = basename(out, extname(out)).replaceAll(/[^\w.-]/g, "-");
  return /^[A-Za-z][\w.-]{0,63}$/.test(stem) ? stem : "day";
}

function jsonOf(read: ReadLogs, arrivals: LoggedArrivals, files: TaskFiles): string {
  const { requests, counts } = read;
  const document = {
    files: { tasks: files.tasks, ...(arrivals.momentsMs.length > 0 ? { arrivals: files.arrivals } : {}) },
    requests: requests.counts.entries,
    mapped: requests.counts.mapped,
    failed: requests.counts.failed,
    otherLines: counts.otherLines + counts.longLines,
    operations: requests.uses.map(({ operation, sample }) => ({
      operation: operation.id,
      requests: sample.count,
      known: sample.known,
    })),
    unmapped: requests.unmapped.groups(),
    withheld: Object.fromEntries(requests.writer.withheld),
    arrivals: arrivals.momentsMs.length,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

export async function tasks(logs: readonly string[], flags: TasksFlags): Promise<void> {
  const { basePath = "", fields = {}, stretch = {}, out, json } = flags;
  const { windowMs = usualWindowMs, speed = 1 } = stretch;
  const files = filesFor(out);
  requireNewFiles([files.tasks, files.arrivals]);
  await using loaded = await loadContractFrom(flags.contract);
  const { contract } = loaded;
  const requests = await LoggedRequests.of(contract, basePath);
  const counts: ReadCounts = { lines: 0, otherLines: 0, longLines: 0 };
  for (const log of logs) {
    for await (const entry of logEntries(log, { contract, fields, counts })) {
      if (requests.isFull) break;
      await requests.add(entry);
    }
  }
  const read: ReadLogs = { requests, counts, logs };
  requireCalls(read);
  const arrivals = arrivalsOf(requests.timesMs, { windowMs, speed });
  const calls = Math.max(leastCalls, arrivals.momentsMs.length);
  const ids = contract.operations.map(({ id }) => id);
  const notes = logNotes(read, arrivals);
  await unbroken(async () => {
    await writeOutput(files.tasks, tasksText({ name: studyName(out), uses: requests.uses, calls, notes }, ids));
    if (arrivals.momentsMs.length > 0) await writeOutput(files.arrivals, arrivalsText(arrivals));
  });
  process.stdout.write(json ? jsonOf(read, arrivals, files) : logSummary(read, arrivals, files, flags));
}
