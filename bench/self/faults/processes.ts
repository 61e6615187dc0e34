// The processes of one program, by the kernel's books: those that it started, and those that have its mark in their environment.
import { statIfReadable } from "@roundtrip/runner/lifetime";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

/** The variable that marks a program with all that it starts; none that begins like our settings, since slips among these are refused. */
export const markVariable = "TRY_OF_ROUNDTRIP";

export interface SeenProcess {
  readonly pid: number;
  readonly parent: number;
  /** Since the machine's start: with the id it names a process for good. */
  readonly startedAtTicks: number;
  readonly commandLine: string;
  /** Its network namespace; empty where that cannot be read. */
  readonly network: string;
}

function textOf(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

export function networkOf(pid: number | "self"): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    return "";
  }
}

/** Undefined for a process that has ended, also when nobody has read its status yet. */
function seen(pid: number): SeenProcess | undefined {
  const stat = statIfReadable(pid);
  if (stat === undefined || ["Z", "X"].includes(stat.state)) return undefined;
  const { parent, startedAtTicks } = stat;
  const commandLine = textOf(pid, "cmdline").replaceAll("\0", " ").trim();
  return { pid, parent, startedAtTicks, commandLine, network: networkOf(pid) };
}

/** All processes of this machine; none where its kernel does not list them. */
export function allProcesses(): readonly SeenProcess[] {
  if (!existsSync("/proc/self/stat")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => seen(Number(name)) ?? []);
}

/** A process with all that it has started and that has not lost its parent. */
export function familyOf(pid: number, all = allProcesses()): readonly SeenProcess[] {
  const children = all.filter(({ parent }) => parent === pid);
  return [...all.filter((one) => one.pid === pid), ...children.flatMap((child) => familyOf(child.pid, all))];
}

/** Whether a process was started with this mark, by whomever. */
export function isMarked({ pid }: SeenProcess, mark: string): boolean {
  return textOf(pid, "environ").includes(`${markVariable}=${mark}\0`);
}

/** Kills all processes that were started with this mark. */
export function killMarked(mark: string): void {
  for (const one of allProcesses().filter((other) => isMarked(other, mark))) {
    try {
      process.kill(one.pid, "SIGKILL");
    } catch {
      // It has gone meanwhile.
    }
  }
}
