// Prints what a server in this process threw when its callers get INTERNAL: they do not see the reason.
import { onInternalError, type InternalError } from "@roundtrip/contract";
import { inspect } from "node:util";

/** A server that always fails does not fill the terminal. */
const maxPrinted = 100;

function textOf({ cause, operation }: InternalError): string {
  const where = operation === "" ? "" : ` in ${operation}`;
  return `roundtrip: INTERNAL${where}: ${inspect(cause)}\n`;
}

/** Prints to standard error until it is disposed. */
export function printInternalErrors(): Disposable {
  let printed = 0;
  const stop = onInternalError((error) => {
    printed += 1;
    if (printed <= maxPrinted) process.stderr.write(textOf(error));
    if (printed === maxPrinted) process.stderr.write("roundtrip: further internal errors are not printed\n");
  });
  return { [Symbol.dispose]: stop };
}
