// Reads files that a user names, or that lie in folders that a user names.
import { FileRefusal, readBytes, requireRegularFile } from "@roundtrip/contract/files";
import { textFrom } from "@roundtrip/contract/text";
import { fileFault } from "@roundtrip/runs/files";
import { CliError } from "./cli-error.ts";

/** The largest files that are read, in MiB. */
export const fileLimitsMiB = {
  allowList: 1,
  arrivals: 64,
  bufConfiguration: 1,
  certificateAuthority: 4,
  configuration: 4,
  descriptorSet: 256,
  generatedTypes: 64,
  httpRules: 4,
  proto: 64,
  queueingModel: 1,
  samplesCsv: 512,
  tasks: 64,
} as const;

export interface NamedFile {
  readonly path: string;
  /** What it is called in errors, such as `the HTTP rules rules.yaml`; absent for its path. */
  readonly label?: string;
}

export interface Input extends NamedFile {
  readonly mostMiB: number;
}

function unreadable({ path, label = path }: NamedFile, cause: unknown): CliError {
  return new CliError("usage", `cannot read ${label}: ${fileFault(cause)}`, { cause });
}

/** For files that another program or a library opens, which would wait for the writer of a pipe. Throws a usage error for anything but a regular file. */
export function requireInput(file: NamedFile): void {
  try {
    requireRegularFile(file.path);
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/** The bytes of a file. Throws a usage error for one that cannot be read, is no regular file, or is larger than the limit. */
export function readInputBytes({ mostMiB, ...file }: Input): Buffer {
  try {
    return readBytes(file.path, mostMiB * 2 ** 20);
  } catch (cause) {
    if (!(cause instanceof FileRefusal) || !cause.isTooLarge) throw unreadable(file, cause);
    throw new CliError("usage", `${file.label ?? file.path} is larger than ${mostMiB} MiB`, { cause });
  }
}

/** The text of a file. Throws like {@link readInputBytes}. */
export function readInput(input: Input): string {
  return textFrom(readInputBytes(input));
}
