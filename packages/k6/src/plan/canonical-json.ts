// A value as JSON that does not depend on the order in which its members were written: what is equal has equal text.

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Members sorted by their names' UTF-16 code units, without blanks. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, inOrder);
}
