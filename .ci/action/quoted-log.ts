// Prints output of other programs to the log of a step, without executing workflow commands in it.
import { randomBytes } from "node:crypto";

export interface QuotedLog extends Disposable {
  write(chunk: Uint8Array): void;
}

/** Until disposed, the service ignores commands in the log, such as `::add-mask::` at the start of a line. The token that ends this is random. */
export function quotedLog(): QuotedLog {
  const word = randomBytes(16).toString("hex");
  // A single stream: the service merges two in arbitrary order.
  const { stdout } = process;
  stdout.write(`::stop-commands::${word}\n`);
  return {
    write: (chunk) => void stdout.write(chunk),
    // The last output may lack a line break.
    [Symbol.dispose]: () => void stdout.write(`\n::${word}::\n`),
  };
}
