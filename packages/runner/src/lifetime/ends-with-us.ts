// A program that leads a session of its own and ends with this process, with all that it started.
import type { ChildProcess } from "node:child_process";
import { killSession } from "./session-processes.ts";
import { atExit } from "./at-exit.ts";
import { guard } from "./guard.ts";

/**
 * Binds a child that was started with `detached: true` to the life of this process: its session is killed when this process exits, and when it is killed.
 * Gives what kills it now. A child that could not be started has nothing to end.
 */
export function endsWithUs(child: ChildProcess): () => void {
  const { pid } = child;
  if (pid === undefined) return () => undefined;
  const release = guard("session", pid);
  let hasEnded = false;
  const kill = (): void => {
    if (!hasEnded) killSession(pid);
  };
  const atOurEnd = atExit(kill);
  // Not "close": who inherited its pipes may hold them open. Once its status has been read, its id may be another's.
  child.once("exit", () => {
    hasEnded = true;
    atOurEnd[Symbol.dispose]();
    release();
  });
  return kill;
}
