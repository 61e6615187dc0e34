// −0 in JSON: the format can write it, JSON.stringify does not.

// TypeScript does not know the proposal yet that V8 has: https://tc39.es/proposal-json-parse-with-source
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => object };

/** What JSON.stringify writes as −0. */
export const minusZero = rawJSON("-0");

function holdsMinusZero(json: unknown): boolean {
  if (typeof json === "number") {
    if (!Number.isFinite(json)) throw new Error(`JSON has no number ${json}`);
    return Object.is(json, -0);
  }
  return typeof json === "object" && json !== null && Object.values(json).filter(holdsMinusZero).length > 0;
}

function copied(json: unknown): unknown {
  if (typeof json !== "object" || json === null) return Object.is(json, -0) ? minusZero : json;
  if (Array.isArray(json)) return json.map(copied);
  // Entries keep keys like `__proto__` what they are: keys.
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, copied(value)]));
}

/**
 * The same JSON, in which JSON.stringify writes each −0 as what it is. A copy only where there is one. Throws an Error for a
 * number that JSON has not.
 */
export function withMinusZero(json: unknown): unknown {
  return holdsMinusZero(json) ? copied(json) : json;
}
