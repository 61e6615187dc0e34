// A folder for what a program writes on its way, gone when it is disposed of or the program ends, whatever ends it.
import { randomBytes } from "node:crypto";
import { atExit } from "./at-exit.ts";
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { guard } from "./guard.ts";

export interface TemporaryFolder extends Disposable {
  readonly path: string;
}

const nameBytes = 6;
/** A compiler that was interrupted may still write what it had begun. */
const leaving = { recursive: true, force: true, maxRetries: 5, retryDelay: 20 } as const;

/** Makes an empty folder that only this user can read. Throws the system's error. @param purpose part of its name. */
export function temporaryFolder(purpose: string): TemporaryFolder {
  const path = join(tmpdir(), `roundtrip-${purpose}-${randomBytes(nameBytes).toString("hex")}`);
  // Guarded before it is there: a kill between the two leaves nothing.
  const release = guard("folder", path);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (thrown) {
    release();
    throw thrown;
  }
  return {
    path,
    ...atExit(() => {
      rmSync(path, leaving);
      release();
    }),
  };
}
