// Routes that the router of a server library can find as well as ours: literal segments, and whole segments that vary.
import type { HttpBinding } from "@roundtrip/contract";
import type { HttpService } from "../../shared/http/http-service.ts";

/** A route that a server library may find by its own router; its service answers whatever the library takes for it. */
export interface PlainRoute extends HttpService {
  readonly method: string;
  /** Of the path between its slashes: the text of a segment, or undefined where any text fits. */
  readonly segments: readonly (string | undefined)[];
}

/** What every library reads as it is written. */
const plainText = /^[\w-]+$/;

/** The segments of a path without `**`, a `:verb`, or a literal that a library might decode; undefined for any other. */
function segmentsIn({ path, method }: HttpBinding): PlainRoute["segments"] | undefined {
  if (path.verb !== "" || method === "*") return undefined;
  const segments: (string | undefined)[] = [];
  for (const segment of path.segments) {
    if (segment.kind === "many" || (segment.kind === "literal" && !plainText.test(segment.text))) return undefined;
    segments.push(segment.kind === "literal" ? segment.text : undefined);
  }
  return segments;
}

/** Whether a path may fit both. What follows `**` is not looked at. */
function mayMeet(plain: PlainRoute["segments"], { path }: HttpBinding): boolean {
  const rest = path.segments.findIndex(({ kind }) => kind === "many");
  const fixed = rest === -1 ? path.segments : path.segments.slice(0, rest);
  if (rest === -1 ? fixed.length !== plain.length : fixed.length > plain.length) return false;
  return fixed.every((segment, index) => {
    const text = plain[index];
    return segment.kind !== "literal" || text === undefined || text === segment.text;
  });
}

/**
 * The segments of those bindings that are plain, and that no other one takes a path from: a library does not know of that one. Verbs are
 * left to {@link arePlain}.
 */
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
 * Whether a path's segments mean what a library's router makes of them. No segment is empty, which some libraries let pass, or encoded, which
 * some do not decode; and a colon in the last one may begin the verb of another route.
 */
export function arePlain(segments: readonly string[]): boolean {
  return (
    segments.every((segment) => segment !== "" && !segment.includes("%")) && segments.at(-1)?.includes(":") !== true
  );
}
