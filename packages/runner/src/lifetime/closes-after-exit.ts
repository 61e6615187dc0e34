// The end of a program whose output is read, although what it started may hold its pipes open for ever.
import type { ChildProcess } from "node:child_process";

/** How long after a program's end its last words are read. */
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
