// Writes a recording to a file.
import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, extname } from "node:path";
import { FakeError } from "../basics/fake-error.ts";
import type { Stub } from "../stubs/stub.ts";
import { stubForm, writeStubs } from "../stubs/write-stubs.ts";

function isJson(path: string): boolean {
  return extname(path).toLowerCase() === ".json";
}

/** Writes a temporary file next to the target, and passes it on. Rejects with a FakeError `unwritable`, and leaves no file then. */
async function writeTemporary(path: string, text: string, use: (temporary: string) => Promise<void>): Promise<void> {
  const unfinished = `${path}.${randomUUID()}.part`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(unfinished, text, { flag: "wx" });
    await use(unfinished);
  } catch (cause) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw new FakeError("unwritable", `cannot write ${path}: ${(cause as Error).message}`, { cause });
  }
}

/** Rejects with a FakeError `unwritable` if a recording could not be written there. Leaves no new file. */
export function requireWritable(path: string): Promise<void> {
  return writeTemporary(path, "", (temporary) => rm(temporary));
}

/** One stub as text of a recording's file. */
export function writtenStub(path: string, stub: Stub): string {
  if (!isJson(path)) return writeStubs([stub]);
  return JSON.stringify(stubForm(stub), null, 2).replaceAll(/^/gm, "  ");
}

/**
 * Writes stubs as a file that `readStubs` reads: JSON if its name ends so, YAML otherwise. Replaces an existing file atomically.
 * Rejects with a FakeError `unwritable`.
 * @param written returns the text of a stub as {@link writtenStub} does
 */
export async function writeCassette(
  path: string,
  stubs: readonly Stub[],
  written: (stub: Stub) => string = (stub) => writtenStub(path, stub),
): Promise<void> {
  const texts = stubs.map((stub) => written(stub));
  const yaml = texts.length === 0 ? writeStubs([]) : texts.join("");
  const text = isJson(path) ? `[\n${texts.join(",\n")}\n]\n` : yaml;
  await writeTemporary(path, text, (temporary) => rename(temporary, path));
}
