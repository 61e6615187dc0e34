// A program that leads a session of its own and ends with this process, with all that it started.
import type { ChildProcess } from "node:child_process";
import { killSession } from "./session-processes.ts";
import { guard } from "./guard.ts";

const undo = new Set<() => void>();

process.on("exit", () => {
  // In reverse order, so that a process that writes into a directory ends before the directory is removed.
  for (const one of [...undo].toReversed()) one();
});

/** Does `clean` when disposed of, or else when the program ends. It is done once, and has no time to wait for anything. */
export function atExit(clean: () => void): Disposable {
  const once = (): void => {
    if (undo.delete(once)) clean();
  };
  undo.add(once);
  return { [Symbol.dispose]: once };
}

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

/** How long to read a program's output after its end. */
const lastWordsMs = 500;

/** Has `close` follow `exit` soon: what is still open of the child's output then is no longer read. */
export function closesAfterExit(child: ChildProcess): void {
  child.once("exit", () => {
    const limit = setTimeout(() => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, lastWordsMs);
    child.once("close", () => clearTimeout(limit));
  });
}
