// Ends reading a program's output after its exit, although its children may hold the pipes open for ever.
import type { ChildProcess } from "node:child_process";

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
