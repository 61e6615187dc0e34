// Reads files that a user names.
import { textFrom } from "@roundtrip/contract/text";
import { fileFault } from "@roundtrip/runs/files";
import { createReadStream } from "node:fs";
import { CliError } from "./cli-error.ts";

const mebibyte = 2 ** 20;

/**
 * The text of a file. Rejects with a usage error for one that cannot be read, or is larger than the limit, however much it holds: it may be a device.
 * @param label what the file is called in errors, such as `the HTTP rules rules.yaml`
 */
export async function readInput(path: string, label = path, mostMiB = 64): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of createReadStream(path, { end: mostMiB * mebibyte })) chunks.push(chunk as Buffer);
  } catch (cause) {
    throw new CliError("usage", `cannot read ${label}: ${fileFault(cause)}`, { cause });
  }
  const bytes = Buffer.concat(chunks);
  if (bytes.length > mostMiB * mebibyte) throw new CliError("usage", `${label} is larger than ${mostMiB} MiB`);
  return textFrom(bytes);
}
