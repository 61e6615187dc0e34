// Exit statuses as documented: sysexits(3) where it has a fitting one.
import type { CliErrorCode } from "./cli-error.ts";

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

/** The status of what a user did that cannot be done. */
export const ofCliError: Readonly<Record<CliErrorCode, number>> = {
  usage: exitStatus.usage,
  unavailable: exitStatus.unavailable,
  failed: exitStatus.failed,
};
