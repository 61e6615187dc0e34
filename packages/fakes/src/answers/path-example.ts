// Example values for URL variables with more than one segment: `projects/project-1/topics/topic-1`.
import type { HttpBinding } from "@roundtrip/contract";

/** A multi-segment variable of a URL. */
export interface PathExample {
  readonly pattern: RegExp;
  readonly example: string;
}

/** The singular of a collection's name: `topic` of `topics`. */
function oneOf(plural: string): string {
  return plural.replace(/ies$/, "y").replace(/(?<=ss|x|ch|sh|us)es$|(?<=[^s])s$/, "");
}

/** A resource name of this form. @param segments segments of a path; `*` is replaced by the singular of the word before it and a number. */
export function exampleName(segments: readonly string[]): string {
  return segments
    .map((segment, at) => (segment === "*" ? `${oneOf(segments[at - 1] ?? "part")}-1` : segment))
    .join("/");
}

/** An example for a field in the URL; undefined if the field is not in the path, or is a single segment. */
export function pathExample({ path }: HttpBinding, fieldPath: readonly string[]): PathExample | undefined {
  const variable = path.variables.find((one) => one.fieldPath.join(".") === fieldPath.join("."));
  if (variable === undefined) return undefined;
  const segments = path.segments.slice(variable.start, variable.end);
  if (segments.length < 2) return undefined;
  const pattern = segments.map((segment, at) => {
    const slash = at === 0 ? "" : "/";
    if (segment.kind === "literal") return slash + segment.text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    return segment.kind === "many" ? `(?:${slash}.+)?` : `${slash}[^/]+`;
  });
  const words = segments.map((segment) => (segment.kind === "literal" ? segment.text : "*"));
  return { pattern: new RegExp(`^${pattern.join("")}$`), example: exampleName(words) };
}
