// The errors of the command line, and the exit statuses of the program.
import { CodedError } from "@roundtrip/contract/coded-error";
import { suggestion } from "@roundtrip/contract/text";

/** `usage`: wrong flag, name or value. `unavailable`: a server, tool or address is missing. `failed`: a check failed. */
export type CliErrorCode = "usage" | "unavailable" | "failed";

export class CliError extends CodedError<CliErrorCode> {
  override readonly name = "CliError";
}

export const exitStatus = {
  done: 0,
  failed: 1,
  inconclusive: 2,
  answersDiffer: 3,
  usage: 64,
  unavailable: 69,
  ourFault: 70,
  interrupted: 130,
} as const;

export const ofCliError: Readonly<Record<CliErrorCode, number>> = {
  usage: exitStatus.usage,
  unavailable: exitStatus.unavailable,
  failed: exitStatus.failed,
};

/** Throws a usage error for an unknown name, with the nearest and all valid ones. @param owner what has such names, such as a stack. */
export function requireKnown(kind: string, typed: string, known: readonly string[], owner?: string): void {
  if (known.includes(typed)) return;
  const name = `${kind} "${typed}"${owner === undefined ? "" : ` of ${owner}`}`;
  throw new CliError("usage", `unknown ${name}${suggestion(typed, known)} (valid: ${known.join(", ")})`);
}
