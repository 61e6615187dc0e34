// The error for an unknown name.
import { suggestion } from "@roundtrip/contract/nearest-name";
import { CliError } from "./cli-error.ts";

/** Throws a usage error for an unknown name, with the valid names and the nearest. */
export function requireKnown(kind: string, typed: string, known: readonly string[]): void {
  if (known.includes(typed)) return;
  throw new CliError("usage", `unknown ${kind} "${typed}" (valid: ${known.join(", ")})${suggestion(typed, known)}`);
}
