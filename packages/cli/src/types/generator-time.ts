// Estimates how long protoc-gen-es takes: for each name that it writes, it makes the names of all types in the file of the named type.
import type { DescEnum, DescFile, DescMessage } from "@bufbuild/protobuf";
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { CliError } from "../basics/cli-error.ts";
import { generatorLimitMs } from "./run-generator.ts";

/** How often it writes the name of each type that it generates. */
const ownNames = 4;

const secondsPerName = 2e-6;

/** Less needs no notice. */
const quickSeconds = 10;

interface FileTime {
  readonly file: DescFile;
  readonly types: number;
  readonly seconds: number;
}

/** The messages and enums that the declarations of a file name, once for each time. */
function namedIn(file: DescFile): readonly (DescMessage | DescEnum)[] {
  return [...nestedTypes(file)].flatMap((type) => {
    if (type.kind === "message") return type.fields.flatMap((field) => field.message ?? field.enum ?? []);
    if (type.kind === "service") return type.methods.flatMap(({ input, output }) => [input, output]);
    return type.kind === "extension" ? [type.extendee, type.message ?? type.enum ?? []].flat() : [];
  });
}

function timesOf(files: readonly DescFile[]): readonly FileTime[] {
  const named = Map.groupBy(files.flatMap(namedIn), (type) => type.file);
  return files.map((file) => {
    const types = [...nestedTypes(file)].length;
    const names = ownNames * types + (named.get(file)?.length ?? 0);
    return { file, types, seconds: types * names * secondsPerName };
  });
}

const rounded = (seconds: number): string => `${Number(seconds.toPrecision(1))} s`;

/**
 * A line for somebody who waits for the types of these files; undefined if they take seconds. Throws a CliError `unavailable` if they take longer than
 * is waited for.
 */
export function generatorNotice(files: Iterable<DescFile>): string | undefined {
  const times = timesOf([...files]);
  const seconds = times.reduce((sum, time) => sum + time.seconds, 0);
  if (seconds <= quickSeconds) return undefined;
  const [slowest] = times.toSorted((a, b) => b.seconds - a.seconds);
  const why = `${slowest?.file.name}.proto has ${slowest?.types} types, and the time of protoc-gen-es grows with their square`;
  if (1_000 * seconds <= generatorLimitMs) return `Types of this contract take about ${rounded(seconds)}: ${why}.`;
  throw new CliError(
    "unavailable",
    `types of this contract would take ${rounded(seconds)}, more than ${generatorLimitMs / 1_000} s: ${why}; split the file`,
  );
}
