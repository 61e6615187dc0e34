// Programs that lead a session of their own and end with this process, together with all their processes.
import type { ChildProcess } from "node:child_process";
import { killSession } from "./session-processes.ts";
import { guard } from "./guard.ts";

const undo = new Set<() => void>();

process.on("exit", () => {
  // In reverse order, so that a process that writes into a directory ends before the directory is removed.
  for (const one of [...undo].toReversed()) one();
});

/** Calls `clean` when disposed of, or else when the program ends. It runs once, and must not wait for anything. */
export function atExit(clean: () => void): Disposable {
  const once = (): void => {
    if (undo.delete(once)) clean();
  };
  undo.add(once);
  return { [Symbol.dispose]: once };
}

/**
 * Binds a child that was started with `detached: true` to this process: its session is killed when this process exits or is killed. Returns a
 * function that kills it now. A child that failed to start has nothing to end.
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
  // Not "close": processes that inherited its pipes may keep them open. Once its status has been read, its id may be reused.
  child.once("exit", () => {
    hasEnded = true;
    atOurEnd[Symbol.dispose]();
    release();
  });
  return kill;
}

/** How long to read a program's output after its end. */
const outputGraceMs = 500;

/** Makes `close` follow `exit` soon: output that is still open then is no longer read. */
export function closesAfterExit(child: ChildProcess): void {
  child.once("exit", () => {
    const limit = setTimeout(() => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, outputGraceMs);
    child.once("close", () => clearTimeout(limit));
  });
}
