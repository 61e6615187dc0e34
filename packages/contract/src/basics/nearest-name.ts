// "Did you mean": the known name closest to a typed one. A separate entry, `@roundtrip/contract/nearest-name`, because measured processes do
// not need it.
import { distance } from "fastest-levenshtein";

/** How well a name fits, best first; of several that begin with the typed text, the one that is listed first. */
const same = 0;
const beginning = 1;
const containing = 2;
const different = 3;

function fitOf(name: string, typed: string): number {
  // A part of a name identifies it; a single letter occurs in too many.
  if (typed.length < 3) return different;
  if (name === typed) return same;
  if (name.startsWith(typed)) return beginning;
  return name.includes(typed) ? containing : different;
}

/** The closest name; undefined if none is close enough to be a typing error. */
export function nearestName(typed: string, known: readonly string[]): string | undefined {
  const lower = typed.toLowerCase();
  const ranked = known
    .map((name) => {
      const fit = fitOf(name.toLowerCase(), lower);
      return { name, fit, edits: fit === beginning ? 0 : distance(lower, name.toLowerCase()) };
    })
    .toSorted((a, b) => a.fit - b.fit || a.edits - b.edits);
  const [best] = ranked;
  if (best === undefined) return undefined;
  const fewEdits = Math.min(Math.max(2, best.name.length / 3), typed.length - 1);
  return best.fit !== different || best.edits <= fewEdits ? best.name : undefined;
}

/** How many characters must be inserted, removed or replaced to make one text of the other. */
export function editDistance(one: string, other: string): number {
  return distance(one, other);
}

/** The end of an error message about an unknown name: `; did you mean "hello"?`, or nothing. */
export function suggestion(typed: string, known: readonly string[]): string {
  const nearest = nearestName(typed, known);
  return nearest === undefined ? "" : `; did you mean "${nearest}"?`;
}
