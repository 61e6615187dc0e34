// Notices that the program that started this one has ended: shells and package managers do not forward signals.
// As `@roundtrip/runner/starter` it is loaded by every command before anything else, and loads nothing of a run.
import { processStat, statIfReadable } from "./process-stat.ts";

/** A look takes some 20 µs for each ancestor, and measured processes are others than this one. */
const lookEveryMs = 500;

/**
 * The ancestors of this process that are in its process group, the parent first. A group is a job: `npx`, `pnpm` and the shells between them, and the
 * script that runs them, but not the terminal's shell, whose jobs outlive it by custom, and nothing beyond a `setsid`.
 */
function startersInJob(): readonly number[] {
  const own = statIfReadable(process.pid);
  // Without /proc, only a package manager's script is known not to be a job of a terminal.
  if (own === undefined) return process.env["npm_lifecycle_event"] === undefined ? [] : [process.ppid];
  const starters: number[] = [];
  let pid = own.parent;
  for (let one = statIfReadable(pid); one?.group === own.group; one = statIfReadable(pid)) {
    starters.push(pid);
    pid = one.parent;
  }
  return starters;
}

/** Whether this is still the parent. True where the kernel does not say: a process without a free file descriptor has not lost its starter. */
function isParent(parent: number, child: number): boolean {
  try {
    return processStat(child)?.parent === parent;
  } catch {
    return true;
  }
}

/** Whether each is still the parent of the one before it: an orphan gets another parent, even if the old one's id is in use again. */
function areThere([parent, ...others]: readonly number[]): boolean {
  let child = parent;
  if (process.ppid !== parent) return false;
  for (const starter of others) {
    if (child === undefined || !isParent(starter, child)) return false;
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
