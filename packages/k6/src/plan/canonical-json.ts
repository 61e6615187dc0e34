// JSON that does not depend on the order of members: equal values have equal text.

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Members sorted by the UTF-16 code units of their names, without white space. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, inOrder);
}
