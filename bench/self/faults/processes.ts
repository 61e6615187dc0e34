// The processes of one program, from the kernel: those that it started, and those with its mark in their environment.
import { statIfReadable } from "@roundtrip/runner/lifetime";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

/** The variable that marks a program and all its processes. Its name must not begin like our settings, because unknown settings are refused. */
export const markVariable = "TRY_OF_ROUNDTRIP";

export interface SeenProcess {
  readonly pid: number;
  readonly parent: number;
  /** Since the start of the machine: together with the id, it identifies a process uniquely. */
  readonly startedAtTicks: number;
  readonly commandLine: string;
  /** Its network namespace; empty if it cannot be read. */
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

/** Undefined for a process that has ended, including zombies. */
function seen(pid: number): SeenProcess | undefined {
  const stat = statIfReadable(pid);
  if (stat === undefined || ["Z", "X"].includes(stat.state)) return undefined;
  const { parent, startedAtTicks } = stat;
  const commandLine = textOf(pid, "cmdline").replaceAll("\0", " ").trim();
  return { pid, parent, startedAtTicks, commandLine, network: networkOf(pid) };
}

/** All processes of this machine; empty if its kernel does not list them. */
export function allProcesses(): readonly SeenProcess[] {
  if (!existsSync("/proc/self/stat")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => seen(Number(name)) ?? []);
}

/** A process and its descendants that have not lost their parent. */
export function familyOf(pid: number, all = allProcesses()): readonly SeenProcess[] {
  const children = all.filter(({ parent }) => parent === pid);
  return [...all.filter((one) => one.pid === pid), ...children.flatMap((child) => familyOf(child.pid, all))];
}

/** Whether a process has this mark, whoever started it. */
export function isMarked({ pid }: SeenProcess, mark: string): boolean {
  return textOf(pid, "environ").includes(`${markVariable}=${mark}\0`);
}
