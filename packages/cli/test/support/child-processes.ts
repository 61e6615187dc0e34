// The processes that a program has started, by the kernel's books.
import { readdirSync, readFileSync } from "node:fs";

export interface ChildProcessSeen {
  readonly pid: number;
  readonly commandLine: string;
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

/** State letter and parent of a process: the fields after the name in parentheses, proc_pid_stat(5). */
function stateOf(pid: number): { readonly state: string; readonly parent: number } {
  const [state = "", parent = ""] = read(pid, "stat").split(") ").at(-1)?.split(" ") ?? [];
  return { state, parent: Number(parent) };
}

/** Server and client processes of a run. */
export function childrenOf(parent: number): readonly ChildProcessSeen[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && stateOf(pid).parent === parent)
    .map((pid) => ({ pid, commandLine: read(pid, "cmdline").replaceAll("\0", " ") }))
    .filter(({ commandLine }) => commandLine.includes("-process."));
}

/** False once a process has ended, whether or not somebody has asked for its status. */
export function isRunning(pid: number): boolean {
  return !["", "Z", "X"].includes(stateOf(pid).state);
}
