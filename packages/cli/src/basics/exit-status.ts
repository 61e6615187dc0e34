// The documented exit statuses: those of sysexits(3) where one fits.
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

export const ofCliError: Readonly<Record<CliErrorCode, number>> = {
  usage: exitStatus.usage,
  unavailable: exitStatus.unavailable,
  failed: exitStatus.failed,
};
