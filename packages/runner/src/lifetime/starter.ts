// Notices that the program that started this one has ended: shells and package managers do not forward signals. Every command loads it as
// `@roundtrip/runner/starter` before anything else, and it loads nothing of a run.
import { processStat, statIfReadable } from "./session-processes.ts";

/** A check takes about 20 µs per ancestor, and measured processes are separate from this one. */
const lookEveryMs = 500;

/**
 * The ancestors of this process in its process group, the parent first. A group is a job: `npx`, `pnpm`, the shells between them, and the script that
 * runs them. It excludes the terminal's shell, whose jobs customarily outlive it, and everything beyond a `setsid`.
 */
function startersInJob(): readonly number[] {
  const own = statIfReadable(process.pid);
  // Without /proc, only a package manager's script is known not to be a job of a terminal.
  if (own === undefined) return process.env["npm_lifecycle_event"] === undefined ? [] : [process.ppid];
  const starters: number[] = [];
  let pid = own.parent;
  for (let stat = statIfReadable(pid); stat?.group === own.group; stat = statIfReadable(pid)) {
    starters.push(pid);
    pid = stat.parent;
  }
  return starters;
}

/** Whether this is still the parent. True if it cannot be read: a process without a free file descriptor has not lost its starter. */
function isParent(parent: number, child: number): boolean {
  try {
    return processStat(child)?.parent === parent;
  } catch {
    return true;
  }
}

/** Whether each is still the parent of the one before it: an orphan gets another parent, even if the old id is reused. */
function areThere([parent, ...others]: readonly number[]): boolean {
  let child = parent;
  if (process.ppid !== parent) return false;
  for (const starter of others) {
    if (child === undefined || !isParent(starter, child)) return false;
    child = starter;
  }
  return true;
}

/** Calls `act` once when a starter of this program has ended. Returns a function that stops watching. Does not keep this process alive. */
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
