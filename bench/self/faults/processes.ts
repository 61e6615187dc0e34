// The processes of one program, by the kernel's books: those that it started, and those that have its mark in their environment.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** The variable that marks a program with all that it starts. */
export const markVariable = "FAULTS_TRY";

export interface SeenProcess {
  readonly pid: number;
  readonly parent: number;
  /** In ticks since the machine's start: with the id it names a process for good. */
  readonly startedAt: number;
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

/** Undefined for a process that has ended, also when nobody has read its status yet. Fields as in proc_pid_stat(5). */
function seen(pid: number): SeenProcess | undefined {
  const fields = textOf(pid, "stat").split(") ").at(-1)?.split(" ") ?? [];
  const [state = "", parent] = fields;
  if (["", "Z", "X"].includes(state)) return undefined;
  const commandLine = textOf(pid, "cmdline").replaceAll("\0", " ").trim();
  return { pid, parent: Number(parent), startedAt: Number(fields[19]), commandLine, network: networkOf(pid) };
}

/** All processes of this machine. */
export function allProcesses(): readonly SeenProcess[] {
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
