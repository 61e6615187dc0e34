// The error of the command line, and the exit statuses of the program.
import { CodedError } from "@roundtrip/contract/coded-error";

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
