// What is said of a name that is not known.
import { suggestion } from "@roundtrip/contract/nearest-name";
import { CliError } from "./cli-error.ts";

/** Throws a usage error for a name that is not known, with all known ones and the nearest. */
export function requireKnown(kind: string, typed: string, known: readonly string[]): void {
  if (known.includes(typed)) return;
  const all = `known: ${known.join(", ")}`;
  throw new CliError("usage", `there is no ${kind} "${typed}" (${all})${suggestion(typed, known)}`);
}
