// Converts errors to exit statuses, for all commands.
import { AnalysisError } from "@roundtrip/analysis/error";
import { CallError } from "@roundtrip/contract";
import { FakeError } from "@roundtrip/fakes/error";
import { K6Error, type K6ErrorCode } from "@roundtrip/k6/error";
import { ReportError } from "@roundtrip/report/error";
import { RunnerError, type RunnerErrorCode } from "@roundtrip/runner/error";
import { fileFault } from "@roundtrip/runs/files";
import { RunError } from "@roundtrip/runs/error";
import { StackError } from "@roundtrip/stacks/error";
import { StyleError } from "@roundtrip/styles/error";
import { CliError, exitStatus, ofCliError } from "./cli-error.ts";

const ofRunner: Readonly<Record<RunnerErrorCode, number>> = {
  "process-died": exitStatus.unavailable,
  "no-answer": exitStatus.unavailable,
  "answers-differ": exitStatus.answersDiffer,
  "budget-too-small": exitStatus.usage,
  unwritable: exitStatus.unavailable,
  "bad-plan": exitStatus.usage,
  "link-unavailable": exitStatus.unavailable,
  "link-faulty": exitStatus.unavailable,
  "link-lost": exitStatus.unavailable,
};

const ofK6: Readonly<Record<K6ErrorCode, number>> = {
  "no-k6": exitStatus.unavailable,
  "nothing-to-do": exitStatus.usage,
  unwritable: exitStatus.unavailable,
  unreadable: exitStatus.usage,
  "other-plan": exitStatus.usage,
  incomplete: exitStatus.usage,
  "instance-failed": exitStatus.unavailable,
};

function isSystemError(thrown: unknown): thrown is NodeJS.ErrnoException {
  return thrown instanceof Error && "syscall" in thrown && "errno" in thrown;
}

/** The exit status and message for anything thrown. Only internal errors show a stack trace. */
export function explain(thrown: unknown): { readonly status: number; readonly text: string } {
  if (thrown instanceof CliError) return { status: ofCliError[thrown.code], text: thrown.message };
  if (thrown instanceof RunnerError) return { status: ofRunner[thrown.code], text: thrown.message };
  if (thrown instanceof RunError) {
    const status = thrown.code === "unwritable" ? exitStatus.unavailable : exitStatus.usage;
    return { status, text: thrown.message };
  }
  if (thrown instanceof K6Error) return { status: ofK6[thrown.code], text: thrown.message };
  if (thrown instanceof StackError) {
    const status = thrown.code === "cannot-listen" ? exitStatus.unavailable : exitStatus.usage;
    return { status, text: thrown.message };
  }
  if (thrown instanceof AnalysisError || thrown instanceof ReportError || thrown instanceof StyleError) {
    return { status: exitStatus.usage, text: thrown.message };
  }
  if (thrown instanceof FakeError) {
    const isAway = thrown.code === "unreachable" || thrown.code === "unwritable";
    return { status: isAway ? exitStatus.unavailable : exitStatus.usage, text: thrown.message };
  }
  if (thrown instanceof CallError) return { status: exitStatus.unavailable, text: `${thrown.code}: ${thrown.message}` };
  // System errors that no command handles, such as a full disk under standard output.
  if (isSystemError(thrown)) return { status: exitStatus.unavailable, text: `${thrown.syscall}: ${fileFault(thrown)}` };
  const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  return { status: exitStatus.ourFault, text: `internal error (please report it)\n${stack}` };
}
