// A directory for what a program writes on its way, gone when it is done or interrupted.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atExit } from "./at-exit.ts";

export interface TemporaryDirectory extends Disposable {
  readonly path: string;
}

/** Makes one. @param purpose part of its name. */
export function temporaryDirectory(purpose: string): TemporaryDirectory {
  const path = mkdtempSync(join(tmpdir(), `roundtrip-${purpose}-`));
  return { path, ...atExit(() => rmSync(path, { recursive: true, force: true })) };
}
