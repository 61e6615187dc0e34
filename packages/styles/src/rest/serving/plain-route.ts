// Routes that the router of any server library matches as this style does: literal segments and whole-segment variables.
import type { HttpBinding } from "@roundtrip/contract";
import type { HttpService } from "../../shared/http/http-service.ts";

/** A route for a server library's own router. Its service answers every request that the library routes to it. */
export interface PlainRoute extends HttpService {
  readonly method: string;
  /** The path's segments: text, or undefined for a variable. */
  readonly segments: readonly (string | undefined)[];
}

/** Characters that every library reads literally. */
const plainText = /^[\w-]+$/;

/** The segments of a path; undefined if it has `**`, a `:verb` or a literal that a library might decode. */
function segmentsIn({ path, method }: HttpBinding): PlainRoute["segments"] | undefined {
  if (path.verb !== "" || method === "*") return undefined;
  const segments: (string | undefined)[] = [];
  for (const segment of path.segments) {
    if (segment.kind === "many" || (segment.kind === "literal" && !plainText.test(segment.text))) return undefined;
    segments.push(segment.kind === "literal" ? segment.text : undefined);
  }
  return segments;
}

/** Whether some path may match both. Ignores segments after `**`. */
function mayMeet(plain: PlainRoute["segments"], { path }: HttpBinding): boolean {
  const rest = path.segments.findIndex(({ kind }) => kind === "many");
  const fixed = rest === -1 ? path.segments : path.segments.slice(0, rest);
  if (rest === -1 ? fixed.length !== plain.length : fixed.length > plain.length) return false;
  return fixed.every((segment, index) => {
    const text = plain[index];
    return segment.kind !== "literal" || text === undefined || text === segment.text;
  });
}

/** The segments of bindings that are plain and share no path with others, which libraries do not know. {@link arePlain} checks verbs. */
export function plainSegments(bindings: readonly HttpBinding[]): ReadonlyMap<HttpBinding, PlainRoute["segments"]> {
  const plain = new Map<HttpBinding, PlainRoute["segments"]>();
  for (const binding of bindings) {
    const segments = segmentsIn(binding);
    if (segments !== undefined) plain.set(binding, segments);
  }
  const others = bindings.filter((binding) => binding.path.verb === "" && !plain.has(binding));
  return new Map([...plain].filter(([, segments]) => !others.some((other) => mayMeet(segments, other))));
}

/**
 * Whether every library's router reads these segments alike. Some libraries accept empty segments, and some do not decode encoded ones. A colon in
 * the last segment may begin the verb of another route.
 */
export function arePlain(segments: readonly string[]): boolean {
  return (
    segments.every((segment) => segment !== "" && !segment.includes("%")) && segments.at(-1)?.includes(":") !== true
  );
}
