// How the two versions of a job are named on the command line of `roundtrip compare`.
import { join } from "node:path";
import type { Addition } from "./addition.ts";
import { changeNamed } from "./changes.ts";
import type { Calibration } from "./calibration.ts";
import type { JobCase } from "./physical-job.ts";
import type { Places } from "./places.ts";
import { projectRoot } from "./run-compare.ts";

const program = "bench/self/processes/changed-server.ts";

/** As one word for who splits a command into words. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** A command that serves each stack, with something added over one of them. */
export function serverCommand(folder: string, stack: string, addition: Addition): string {
  const file = quoted(join(folder, program));
  return `${quoted(process.execPath)} ${file} {stack} ${stack} ${quoted(JSON.stringify(addition))}`;
}

/** @param places asked for where the case is about paths */
export function versionWords(one: JobCase, calibration: Calibration, places: () => Places): readonly string[] {
  const { origin, base, head } = changeNamed(one.change);
  // The work tree of who runs this is no version: what is committed is.
  if (origin === "two builds") return ["HEAD", "HEAD"];
  const [baseFolder, headFolder] =
    origin === "longer path" ? [places().short, places().long] : [projectRoot, projectRoot];
  return [
    "--base-cmd",
    serverCommand(baseFolder, one.stack, base(calibration)),
    "--head-cmd",
    serverCommand(headFolder, one.stack, head(calibration)),
  ];
}
