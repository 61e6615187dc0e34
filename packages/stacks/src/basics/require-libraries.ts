// Libraries that no default stack loads are optional peers: whoever selects one installs it.
import { findPackageJSON } from "node:module";
import { StackError } from "./stack-error.ts";

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
