// The first difference between two values, as one line with its path.

function shown(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? String(part) : part)) ?? "?";
  return text.length <= 60 ? text : `${text.slice(0, 57)}… (${text.length} characters)`;
}

function hasMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** The keys to compare. `$unknown` has fields of newer contracts and is ignored. */
function keysOf(value: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(value).filter((key) => key !== "$unknown" && value[key] !== undefined);
}

/** `path: got …, expected …` for the first difference; undefined if the values are equal. NaN equals NaN, -0 is not 0. */
export function firstDifference(actual: unknown, expected: unknown, path: string): string | undefined {
  if (Object.is(actual, expected)) return undefined;
  // Compares bytes as a whole first, because there can be many.
  if (actual instanceof Uint8Array && expected instanceof Uint8Array && Buffer.compare(actual, expected) === 0) {
    return undefined;
  }
  if (!hasMembers(actual) || !hasMembers(expected) || Array.isArray(actual) !== Array.isArray(expected)) {
    return `${path}: got ${shown(actual)}, expected ${shown(expected)}`;
  }
  if (Array.isArray(actual) && Array.isArray(expected) && actual.length !== expected.length) {
    return `${path}: got ${actual.length} items, expected ${expected.length}`;
  }
  for (const key of new Set([...keysOf(expected), ...keysOf(actual)])) {
    const inner = Array.isArray(expected) ? `${path}[${key}]` : `${path}.${key}`;
    const difference = firstDifference(actual[key], expected[key], inner);
    if (difference !== undefined) return difference;
  }
  return undefined;
}
