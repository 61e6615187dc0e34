// The processes that a program has started, by the kernel's books.
import { readdirSync, readFileSync } from "node:fs";

export interface ChildProcessSeen {
  readonly pid: number;
  readonly commandLine: string;
}

/** A file of the kernel about a process; empty once that has ended. */
export function bookOf(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

interface ProcessState {
  /** One letter. */
  readonly state: string;
  readonly parent: number;
  /** CPU time so far, in ticks of 10 ms. */
  readonly cpuTicks: number;
}

/** The fields after the name in parentheses, proc_pid_stat(5). */
function stateOf(pid: number): ProcessState {
  const [state = "", parent = "", ...others] = bookOf(pid, "stat").split(") ").at(-1)?.split(" ") ?? [];
  return { state, parent: Number(parent), cpuTicks: Number(others[9]) + Number(others[10]) };
}

function processesThat(isMeant: (pid: number) => boolean): readonly ChildProcessSeen[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && isMeant(pid))
    .map((pid) => ({ pid, commandLine: bookOf(pid, "cmdline").replaceAll("\0", " ") }));
}

/** Server and client processes of a run. */
export function childrenOf(parent: number): readonly ChildProcessSeen[] {
  const children = processesThat((pid) => stateOf(pid).parent === parent);
  return children.filter(({ commandLine }) => commandLine.includes("-process."));
}

/** Processes whose command line has this text in it. */
export function mentioning(text: string): readonly ChildProcessSeen[] {
  return processesThat(() => true).filter(({ commandLine }) => commandLine.includes(text));
}

/** False once a process has ended, whether or not somebody has asked for its status. */
export function isRunning(pid: number): boolean {
  return !["", "Z", "X"].includes(stateOf(pid).state);
}

/** True once a process has worked long enough to have loaded what it runs. */
export function hasLoaded(pid: number): boolean {
  return stateOf(pid).cpuTicks >= 15;
}
