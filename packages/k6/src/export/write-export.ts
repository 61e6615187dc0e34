// Writes an exported directory: a new or an empty one.
import { fileFault, makeDirectory } from "@roundtrip/runner";
import { readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { K6Error } from "../basics/k6-error.ts";
import type { ExportFile } from "./export-files.ts";

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw thrown;
  }
}

/** Rejects with a K6Error `unwritable`, also for a directory that is not empty. */
export async function writeExport(directory: string, files: readonly ExportFile[]): Promise<void> {
  try {
    if ((await namesIn(directory)).length > 0) {
      throw new K6Error("unwritable", `${directory} is not empty; choose an empty or new directory`);
    }
    for (const { path, content } of files) {
      const file = join(directory, path);
      makeDirectory(dirname(file));
      // oxlint-disable-next-line no-await-in-loop -- few, and in an order that a reader of an error expects
      await writeFile(file, content);
    }
  } catch (cause) {
    if (cause instanceof K6Error) throw cause;
    throw new K6Error("unwritable", `cannot write to ${directory}: ${fileFault(cause)}`, { cause });
  }
}
