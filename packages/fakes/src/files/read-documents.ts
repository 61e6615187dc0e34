// Reads a file of YAML or JSON, or all such files of a folder.
import { readText } from "@roundtrip/contract/text";
import { readdir, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { FakeError } from "../basics/fake-error.ts";
import { documentLimits, parseDocuments, type LocatedDocument } from "./located-documents.ts";

const extensions: readonly string[] = [".yaml", ".yml", ".json"];

const maxFiles = 1_000;

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "no such file or folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
};

function unreadable(path: string, cause: unknown): FakeError {
  const { code = "", message } = cause as NodeJS.ErrnoException;
  return new FakeError("unreadable", `cannot read ${path}: ${reasons[code] ?? message}`, { cause });
}

/** The files of a path: the file itself, or those below a folder, by name. */
async function filesAt(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
  if (!found.isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
  const files = entries
    .filter((entry) => !entry.isDirectory() && extensions.includes(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  if (files.length > maxFiles) throw new FakeError("too-large", `${path} has more than ${maxFiles} files`);
  return files;
}

async function textOf(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > documentLimits.fileBytes) {
      throw new FakeError("too-large", `${path} is larger than ${documentLimits.fileBytes} bytes`);
    }
    return await readText(path);
  } catch (cause) {
    throw cause instanceof FakeError ? cause : unreadable(path, cause);
  }
}

/**
 * The documents of a file, or of all .yaml, .yml and .json files in a folder and its subfolders, in the order of their paths. Rejects with a
 * FakeError with the position of an error.
 */
export async function readDocuments(path: string): Promise<readonly LocatedDocument[]> {
  const documents: LocatedDocument[] = [];
  for (const file of await filesAt(path)) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other: a thousand files are not open at once
    documents.push(...parseDocuments(await textOf(file), file));
  }
  return documents;
}
