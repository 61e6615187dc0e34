// −0 in JSON: the format can write it, JSON.stringify does not.
import { negativeZero } from "../../shared/proto-json/exact-json.ts";

function holdsMinusZero(json: unknown): boolean {
  if (typeof json === "number") {
    if (!Number.isFinite(json)) throw new Error(`JSON has no number ${json}`);
    return Object.is(json, -0);
  }
  return typeof json === "object" && json !== null && Object.values(json).filter(holdsMinusZero).length > 0;
}

function copied(json: unknown): unknown {
  if (typeof json !== "object" || json === null) return Object.is(json, -0) ? negativeZero : json;
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
