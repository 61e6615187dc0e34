// A command never writes over what it reads, by whatever name it is called.
import { statSync } from "node:fs";
import { CliError } from "./cli-error.ts";

/** The same for every path to one file, symbolic and hard links among them; undefined for what is not there or no file. */
function identityOf(path: string): string | undefined {
  try {
    const found = statSync(path, { bigint: true });
    return found.isFile() ? `${found.dev} ${found.ino}` : undefined;
  } catch {
    // Whoever reads or writes an inaccessible path reports it.
    return undefined;
  }
}

/** Throws a usage error when one of the outputs is one of the inputs. */
export function requireNoInput(outputs: readonly string[], inputs: readonly string[]): void {
  const read = new Set(inputs.map(identityOf).filter((identity) => identity !== undefined));
  const clash = outputs.find((path) => read.has(identityOf(path) ?? ""));
  if (clash === undefined) return;
  throw new CliError("usage", `${clash} would be written over, and this command reads it; choose another place`);
}
