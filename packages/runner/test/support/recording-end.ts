// An end of a link that records its commands instead of running them.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface RecordingEnd extends Disposable {
  /** In place of the words that enter the end's namespace. */
  readonly commandPrefix: readonly string[];
  /** The commands since the last time that they were taken. */
  take(): readonly string[];
}

/** @param answer what each command prints */
export function recordingEnd(answer = ""): RecordingEnd {
  const folder = mkdtempSync(join(tmpdir(), "roundtrip-end-"));
  const said = join(folder, "said");
  return {
    commandPrefix: ["sh", "-c", `printf "%s\\n" "$*" >> ${said}; echo "${answer}"`, "sh"],
    take() {
      try {
        return readFileSync(said, "utf8").trimEnd().split("\n");
      } catch {
        return [];
      } finally {
        rmSync(said, { force: true });
      }
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}
