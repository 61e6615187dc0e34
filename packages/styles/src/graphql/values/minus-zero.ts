// −0 in JSON: the format allows it, but JSON.stringify writes 0.
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
  // Entries keep keys such as `__proto__`.
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, copied(value)]));
}

/** Prepares JSON so that JSON.stringify preserves −0. Copies only if necessary. Throws an Error for a number that JSON cannot represent. */
export function withMinusZero(json: unknown): unknown {
  return holdsMinusZero(json) ? copied(json) : json;
}
