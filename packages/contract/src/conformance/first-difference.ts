// The first difference between two values, as one line that names the place.

function shown(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? String(part) : part)) ?? "?";
  return text.length <= 60 ? text : `${text.slice(0, 57)}… (${text.length} characters)`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** What is compared of an object: `$unknown` holds fields of newer contracts, which are nobody's difference. */
function keysOf(value: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(value).filter((key) => key !== "$unknown" && value[key] !== undefined);
}

/** `place: got …, expected …` for the first place where the two differ; undefined when they are equal. NaN equals NaN, -0 is not 0. */
export function firstDifference(actual: unknown, expected: unknown, place: string): string | undefined {
  if (Object.is(actual, expected)) return undefined;
  // Bytes one by one are looked at when they differ: there may be many.
  if (actual instanceof Uint8Array && expected instanceof Uint8Array && Buffer.compare(actual, expected) === 0) {
    return undefined;
  }
  if (!isObject(actual) || !isObject(expected) || Array.isArray(actual) !== Array.isArray(expected)) {
    return `${place}: got ${shown(actual)}, expected ${shown(expected)}`;
  }
  if (Array.isArray(actual) && Array.isArray(expected) && actual.length !== expected.length) {
    return `${place}: got ${actual.length} items, expected ${expected.length}`;
  }
  for (const key of new Set([...keysOf(expected), ...keysOf(actual)])) {
    const inner = Array.isArray(expected) ? `${place}[${key}]` : `${place}.${key}`;
    const difference = firstDifference(actual[key], expected[key], inner);
    if (difference !== undefined) return difference;
  }
  return undefined;
}
