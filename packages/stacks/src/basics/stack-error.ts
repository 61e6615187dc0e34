// Errors of a stack that are not errors of a call, and the libraries that may be missing.
import { CodedError } from "@roundtrip/contract/coded-error";
import { findPackageJSON } from "node:module";

/**
 * `unknown-stack`: no folder has that name. `cannot-listen`: the port is taken, or the host is not an address of this machine. `unusable-contract`:
 * the style cannot serve the contract. `unusable-setting`: the stack does not declare the setting, or does not allow its value. `missing-library`: an
 * optional library is not installed.
 */
export type StackErrorCode =
  | "unknown-stack"
  | "cannot-listen"
  | "unusable-contract"
  | "unusable-setting"
  | "missing-library";

export class StackError extends CodedError<StackErrorCode> {
  override readonly name = "StackError";
}

function isInstalled(library: string, from: string): boolean {
  try {
    return findPackageJSON(library, from) !== undefined;
  } catch {
    return false;
  }
}

/** Throws a StackError `missing-library`, with the command that installs what is missing. @param subject what needs them. @param from the URL of a module that imports them. */
export function requireLibraries(subject: string, libraries: readonly string[], from: string): void {
  const missing = libraries.filter((library) => !isInstalled(library, from)).join(" ");
  if (missing !== "")
    throw new StackError("missing-library", `${subject} needs a package that is not installed: npm install ${missing}`);
}
