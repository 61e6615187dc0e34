// Estimates how long protoc-gen-es takes: for each name that it writes, it makes the names of all types in the file of the named type.
import type { DescEnum, DescFile, DescMessage } from "@bufbuild/protobuf";
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { CliError } from "../basics/cli-error.ts";

/** How often it writes the name of each type that it generates. */
const ownNames = 4;

const secondsPerName = 2e-6;

const maxSeconds = 20;

/** The messages and enums that the declarations of a file name, once for each time. */
function namedIn(file: DescFile): readonly (DescMessage | DescEnum)[] {
  return [...nestedTypes(file)].flatMap((type) => {
    if (type.kind === "message") return type.fields.flatMap((field) => field.message ?? field.enum ?? []);
    if (type.kind === "service") return type.methods.flatMap(({ input, output }) => [input, output]);
    return type.kind === "extension" ? [type.extendee, type.message ?? type.enum ?? []].flat() : [];
  });
}

/** Throws a CliError `unavailable` if the code of these files would take longer than is waited for. @param inParts names in a file's own parts take no time */
export function requireQuick(files: readonly DescFile[], { inParts }: { readonly inParts: boolean }): void {
  const own = new Set(inParts ? [] : files);
  const all = files.flatMap((file) => namedIn(file).filter((type) => !inParts || type.file !== file));
  const named = Map.groupBy(all, (type) => type.file);
  const times = [...new Set([...own, ...named.keys()])].map((file) => {
    const types = [...nestedTypes(file)].length;
    const names = (own.has(file) ? ownNames * types : 0) + (named.get(file)?.length ?? 0);
    return { file, types, seconds: types * names * secondsPerName };
  });
  const seconds = times.reduce((sum, time) => sum + time.seconds, 0);
  if (seconds <= maxSeconds) return;
  const [slowest] = times.toSorted((a, b) => b.seconds - a.seconds);
  throw new CliError(
    "unavailable",
    `types of this contract would take protoc-gen-es about ${Number(seconds.toPrecision(1))} s, more than ${maxSeconds} s, because ` +
      `${slowest?.file.name}.proto has ${slowest?.types} types; split the file`,
  );
}
