// Notices that whoever started this program is gone: shells and package managers do not pass signals on to what they started.
// As `@roundtrip/runner/starter` it is loaded by every command before anything else, and loads nothing.
import { readFileSync } from "node:fs";

/** A look takes some 20 µs for each ancestor, and measured processes are others than this one. */
const lookEveryMs = 500;

/** Fields of /proc/PID/stat after the name in parentheses, see proc_pid_stat(5). */
interface ProcessSeen {
  readonly parent: number;
  readonly group: number;
}

function seen(pid: number): ProcessSeen | undefined {
  try {
    const [, parent, group] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return { parent: Number(parent), group: Number(group) };
  } catch {
    return undefined;
  }
}

/**
 * The ancestors of this process that are in its process group, the parent first. A group is a job: `npx`, `pnpm` and the shells between them, and the
 * script that runs them, but not the terminal's shell, whose jobs outlive it by custom, and nothing beyond a `setsid`.
 */
function startersInJob(): readonly number[] {
  const own = seen(process.pid);
  // Without the kernel's books only a package manager's script is known to be no job of a terminal.
  if (own === undefined) return process.env["npm_lifecycle_event"] === undefined ? [] : [process.ppid];
  const starters: number[] = [];
  let pid = own.parent;
  for (let one = seen(pid); one?.group === own.group; one = seen(pid)) {
    starters.push(pid);
    pid = one.parent;
  }
  return starters;
}

/** Whether each is still the parent of the one before it: an orphan gets another parent, whoever has the old one's id by now. */
function areThere([parent, ...others]: readonly number[]): boolean {
  let child = parent;
  if (process.ppid !== parent) return false;
  for (const starter of others) {
    if (child === undefined || seen(child)?.parent !== starter) return false;
    child = starter;
  }
  return true;
}

/** Calls `act` once when one of those that started this program has ended. Gives what stops watching; it does not keep this process alive. */
export function onStarterGone(act: () => void): () => void {
  const starters = startersInJob();
  if (starters.length === 0) return () => undefined;
  const timer = setInterval(() => {
    if (areThere(starters)) return;
    clearInterval(timer);
    act();
  }, lookEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
