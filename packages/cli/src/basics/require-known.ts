// The error for an unknown name.
import { suggestion } from "@roundtrip/contract/text";
import { CliError } from "./cli-error.ts";

/** Throws a usage error for an unknown name, with the nearest and all valid ones. @param owner what has such names, such as a stack. */
export function requireKnown(kind: string, typed: string, known: readonly string[], owner?: string): void {
  if (known.includes(typed)) return;
  const name = `${kind} "${typed}"${owner === undefined ? "" : ` of ${owner}`}`;
  throw new CliError("usage", `unknown ${name}${suggestion(typed, known)} (valid: ${known.join(", ")})`);
}
