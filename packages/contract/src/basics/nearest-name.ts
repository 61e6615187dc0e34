// "Did you mean": the known name closest to a typed one. A separate entry, `@roundtrip/contract/nearest-name`, because measured processes do
// not need it.
import { distance } from "fastest-levenshtein";

/** The closest name; undefined if none is close enough to be a typing error. */
export function nearestName(typed: string, known: readonly string[]): string | undefined {
  const lower = typed.toLowerCase();
  const ranked = known
    .map((name) => ({
      name,
      edits: distance(lower, name.toLowerCase()),
      // A part of a name identifies it; a single letter occurs in too many.
      partial: lower.length > 2 && name.toLowerCase().includes(lower),
    }))
    .toSorted((a, b) => Number(b.partial) - Number(a.partial) || a.edits - b.edits);
  const [best] = ranked;
  if (best === undefined) return undefined;
  const fewEdits = Math.min(Math.max(2, best.name.length / 3), typed.length - 1);
  return best.partial || best.edits <= fewEdits ? best.name : undefined;
}

/** The end of an error message about an unknown name: `; did you mean "hello"?`, or nothing. */
export function suggestion(typed: string, known: readonly string[]): string {
  const nearest = nearestName(typed, known);
  return nearest === undefined ? "" : `; did you mean "${nearest}"?`;
}
