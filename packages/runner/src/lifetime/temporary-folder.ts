// A folder for temporary files, removed when it is disposed of or the program ends, whatever the cause.
import { randomBytes } from "node:crypto";
import { atExit } from "./ends-with-us.ts";
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileFault } from "../basics/file-fault.ts";
import { RunnerError } from "../basics/runner-error.ts";
import { guard } from "./guard.ts";

export interface TemporaryFolder extends Disposable {
  readonly path: string;
}

const nameBytes = 6;
/** An interrupted compiler may still be writing. */
const leaving = { recursive: true, force: true, maxRetries: 5, retryDelay: 20 } as const;

/** Makes an empty folder that only this user can read. Throws a RunnerError `unwritable`. @param purpose part of its name. */
export function temporaryFolder(purpose: string): TemporaryFolder {
  // Absolute, because the guard that removes it after a kill has another current directory.
  const parent = resolve(tmpdir());
  const path = join(parent, `roundtrip-${purpose}-${randomBytes(nameBytes).toString("hex")}`);
  // Guarded before it exists: a kill between the two leaves nothing behind.
  const release = guard("folder", path);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (cause) {
    release();
    throw new RunnerError("unwritable", `cannot write to ${parent} (TMPDIR): ${fileFault(cause)}`, { cause });
  }
  return {
    path,
    ...atExit(() => {
      rmSync(path, leaving);
      release();
    }),
  };
}
