// What stands in a URL where a request fills more than one segment of it: `projects/project-1/topics/topic-1`.
import type { HttpBinding } from "@roundtrip/contract";

/** A place in a URL that a field of the request fills. */
export interface PathExample {
  readonly pattern: RegExp;
  readonly example: string;
}

/** One of what a collection holds: `topic` of `topics`. */
function oneOf(plural: string): string {
  return plural.replace(/ies$/, "y").replace(/(?<=ss|x|ch|sh|us)es$|(?<=[^s])s$/, "");
}

/** A name of this form. @param segments words of a path; `*` is filled by the word before. */
export function exampleName(segments: readonly string[]): string {
  return segments
    .map((segment, at) => (segment === "*" ? `${oneOf(segments[at - 1] ?? "part")}-1` : segment))
    .join("/");
}

/** What a path takes for a field; undefined where it is no part of it, or any one segment will do. */
export function pathExample({ path }: HttpBinding, fieldPath: readonly string[]): PathExample | undefined {
  const variable = path.variables.find((one) => one.fieldPath.join(".") === fieldPath.join("."));
  if (variable === undefined) return undefined;
  const segments = path.segments.slice(variable.start, variable.end);
  if (segments.length < 2) return undefined;
  const pattern = segments.map((segment) => {
    if (segment.kind === "literal") return segment.text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    return segment.kind === "many" ? ".+" : "[^/]+";
  });
  const words = segments.map((segment) => (segment.kind === "literal" ? segment.text : "*"));
  return { pattern: new RegExp(`^${pattern.join("/")}$`), example: exampleName(words) };
}
