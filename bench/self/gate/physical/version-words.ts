// The command-line arguments of `roundtrip compare` for the two versions of a job.
import { join } from "node:path";
import type { Addition } from "./addition.ts";
import { changeNamed } from "./changes.ts";
import type { Calibration } from "./calibration.ts";
import type { JobCase } from "./physical-job.ts";
import type { CopyPaths } from "./copies-at-two-paths.ts";
import { projectRoot } from "./run-compare.ts";

const program = "bench/self/processes/changed-server.ts";

/** Quotes a word for a shell-like split. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** A command that serves each stack, with an addition on one of them. */
export function serverCommand(folder: string, stack: string, addition: Addition): string {
  const file = quoted(join(folder, program));
  return `${quoted(process.execPath)} ${file} {stack} ${stack} ${quoted(JSON.stringify(addition))}`;
}

/** @param copyPaths called only if the case is about paths */
export function versionWords(one: JobCase, calibration: Calibration, copyPaths: () => CopyPaths): readonly string[] {
  const { origin, base, head } = changeNamed(one.change);
  // The work tree is not a version; the commit is.
  if (origin === "two builds") return ["HEAD", "HEAD"];
  const [baseFolder, headFolder] =
    origin === "longer path" ? [copyPaths().short, copyPaths().long] : [projectRoot, projectRoot];
  return [
    "--base-cmd",
    serverCommand(baseFolder, one.stack, base(calibration)),
    "--head-cmd",
    serverCommand(headFolder, one.stack, head(calibration)),
  ];
}
