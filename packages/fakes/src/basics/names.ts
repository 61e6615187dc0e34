// Names of fields, methods, operations, resources in URLs and sessions.
import type { DescField } from "@bufbuild/protobuf";
import { protoCamelCase, protoSnakeCase } from "@bufbuild/protobuf/reflect";
import { type Contract, type HttpBinding, type Operation, variablePattern } from "@roundtrip/contract";
import { suggestion } from "@roundtrip/contract/text";
import { FakeError, type ValuePath } from "./fake-error.ts";

/** Whether a mask with this field can be written as JSON, which has paths in lowerCamelCase: not every name can be read back from that. */
export function fitsMask({ name }: DescField): boolean {
  return protoSnakeCase(protoCamelCase(name)) === name;
}

/** The metadata that names a call's session. Calls without it share the session with the empty name. */
export const sessionMetadataName = "x-roundtrip-session";

/**
 * The operation with this id, or whose id ends with this name: `GetCustomer`, `CustomerService.GetCustomer`; also gRPC's path of a method. Throws a
 * FakeError if no operation has the name, or several do.
 */
export function operationNamed(contract: Contract, typed: string, path: ValuePath = []): Operation {
  const name = typed.replace(/^\/?(.+)\//, "$1.");
  const found = contract.operations.filter(({ id }) => id === name || id.endsWith(`.${name}`));
  const exact = found.find(({ id }) => id === name) ?? (found.length === 1 ? found[0] : undefined);
  if (exact !== undefined) return exact;
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(", ");
    throw new FakeError("unknown-operation", `"${name}" may be any of ${ids}; give the whole name`, { path });
  }
  // Suggestions compare as many parts as were given: a package name would hide a typing mistake.
  const parts = name.split(".").length;
  const known = contract.operations.map(({ id }) => id.split(".").slice(-parts).join("."));
  throw new FakeError("unknown-operation", `the contract has no operation "${name}"${suggestion(name, known)}`, {
    path,
  });
}

/** Whether an operation returns a stream of answers. */
export function answersWithStream({ kind }: Operation): boolean {
  return kind === "server_streaming" || kind === "bidi_streaming";
}

/** A multi-segment variable of a URL. */
export interface PathExample {
  readonly pattern: RegExp;
  readonly example: string;
}

/** The singular of a collection's name: `topic` of `topics`. */
function oneOf(plural: string): string {
  return plural
    .replace(/ies$/, "y")
    .replace(/(?<=shel|\b(?:lea|hal|loa|wol))ves$/, "f")
    .replace(/(?<=ss|x|ch|sh|us)es$|(?<=[^s])s$/, "");
}

/** A resource name of this form. @param segments segments of a path; `*` is replaced by the singular of the word before it and a number. */
export function exampleName(segments: readonly string[]): string {
  return segments
    .map((segment, at) => (segment === "*" ? `${oneOf(segments[at - 1] ?? "part")}-1` : segment))
    .join("/");
}

/** An example for a field in the URL; undefined if the field is not in the path, or is a single segment. */
export function pathExample({ path }: HttpBinding, fieldPath: readonly string[]): PathExample | undefined {
  const variable = path.variables.find((candidate) => candidate.fieldPath.join(".") === fieldPath.join("."));
  if (variable === undefined) return undefined;
  const segments = path.segments.slice(variable.start, variable.end);
  if (segments.length < 2) return undefined;
  const words = segments.map((segment) => (segment.kind === "literal" ? segment.text : "*"));
  return { pattern: variablePattern(path, variable), example: exampleName(words) };
}
