// Recognises a log where a tasks file is expected.
import { open } from "node:fs/promises";
import { CliError } from "../../basics/cli-error.ts";
import { jsonLine } from "./json-line.ts";
import { textLine } from "./text-line.ts";

/** Throws a usage error if the file begins like a log. Does nothing for a file that cannot be read: its reader reports that. */
export async function requireNoLog(path: string): Promise<void> {
  let line: string;
  try {
    await using file = await open(path, "r");
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4_096), 0, 4_096, 0);
    line = buffer.subarray(0, bytesRead).toString().trimStart().split("\n", 1)[0] ?? "";
  } catch {
    return;
  }
  const isHar = /\.har$/i.test(path) || /^\{\s*"log"\s*:/.test(line);
  if (!isHar && (jsonLine(line) ?? textLine(line)) === undefined) return;
  throw new CliError(
    "usage",
    `${path} is a log, not a file of tasks: "roundtrip tasks ${path} --out day.yaml" makes tasks of it`,
  );
}
