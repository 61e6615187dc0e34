// Keeps a recording in a file.
import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, extname } from "node:path";
import { FakeError } from "../fake-error.ts";
import type { Stub } from "../stubs/stub.ts";
import { stubForm, writeStubs } from "../stubs/write-stubs.ts";

/**
 * Writes stubs as a file that `readStubs` reads: JSON where its name ends so, YAML otherwise. The file is there whole or not at all; one that
 * was there before is replaced. Rejects with a FakeError `unwritable`.
 */
export async function writeCassette(path: string, stubs: readonly Stub[]): Promise<void> {
  const isJson = extname(path).toLowerCase() === ".json";
  const text = isJson ? `${JSON.stringify(stubs.map(stubForm), null, 2)}\n` : writeStubs(stubs);
  const unfinished = `${path}.${randomUUID()}.part`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(unfinished, text, { flag: "wx" });
    await rename(unfinished, path);
  } catch (cause) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw new FakeError("unwritable", `cannot write ${path}: ${(cause as Error).message}`, { cause });
  }
}
