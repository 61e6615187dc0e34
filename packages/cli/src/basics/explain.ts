// Converts errors to exit statuses, for all commands.
import { CallError } from "@roundtrip/contract";
import { CodedError } from "@roundtrip/contract/coded-error";
import type { FakeErrorCode } from "@roundtrip/fakes/error";
import type { K6ErrorCode } from "@roundtrip/k6/error";
import type { RunnerErrorCode } from "@roundtrip/runner/error";
import { CodedError as RunsCodedError, type RunErrorCode } from "@roundtrip/runs/error";
import { fileFault } from "@roundtrip/runs/files";
import type { StackErrorCode } from "@roundtrip/stacks/error";
import { exitStatus, type CliErrorCode } from "./cli-error.ts";

type Code = CliErrorCode | FakeErrorCode | K6ErrorCode | RunErrorCode | RunnerErrorCode | StackErrorCode;

/** The statuses of the packages' codes; others are wrong usage. */
const statuses: Readonly<Partial<Record<Code, number>>> = {
  failed: exitStatus.failed,
  "answers-differ": exitStatus.answersDiffer,
  unavailable: exitStatus.unavailable,
  unwritable: exitStatus.unavailable,
  unreachable: exitStatus.unavailable,
  "cannot-listen": exitStatus.unavailable,
  "missing-library": exitStatus.unavailable,
  "process-died": exitStatus.unavailable,
  "no-answer": exitStatus.unavailable,
  "link-unavailable": exitStatus.unavailable,
  "link-faulty": exitStatus.unavailable,
  "link-lost": exitStatus.unavailable,
  "no-k6": exitStatus.unavailable,
  "instance-failed": exitStatus.unavailable,
};

function isSystemError(thrown: unknown): thrown is NodeJS.ErrnoException {
  return thrown instanceof Error && "syscall" in thrown && "errno" in thrown;
}

/** The exit status and message for anything thrown. Only internal errors show a stack trace. */
export function explain(thrown: unknown): { readonly status: number; readonly text: string } {
  if (thrown instanceof CallError) return { status: exitStatus.unavailable, text: `${thrown.code}: ${thrown.message}` };
  if (thrown instanceof CodedError || thrown instanceof RunsCodedError) {
    return { status: statuses[thrown.code as Code] ?? exitStatus.usage, text: thrown.message };
  }
  // System errors that no command handles, such as a full disk under standard output.
  if (isSystemError(thrown)) return { status: exitStatus.unavailable, text: `${thrown.syscall}: ${fileFault(thrown)}` };
  const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  return { status: exitStatus.ourFault, text: `internal error (please report it)\n${stack}` };
}
