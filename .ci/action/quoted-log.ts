// What others say, in the log of a step: read by people, and obeyed by nobody.
import { randomBytes } from "node:crypto";

export interface QuotedLog extends Disposable {
  write(chunk: Uint8Array): void;
}

/**
 * Until it is disposed of, the service takes nothing in the log for a command, such as `::add-mask::` or `::error::` at the beginning of a line. Nobody
 * who could end that sooner knows the word that does.
 */
export function quotedLog(): QuotedLog {
  const word = randomBytes(16).toString("hex");
  // One stream for all of it: the service reads two in no order.
  const { stdout } = process;
  stdout.write(`::stop-commands::${word}\n`);
  return {
    write: (chunk) => void stdout.write(chunk),
    // What was said last may lack its end of line.
    [Symbol.dispose]: () => void stdout.write(`\n::${word}::\n`),
  };
}
