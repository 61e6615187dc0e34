// Conditions on texts and headers, and the headers of a call as people may see them.
import type { JsonValue } from "@bufbuild/protobuf";
import type * as Re2 from "@bufbuild/re2";
import { isObject, isReservedMetadata, type Metadata } from "@roundtrip/contract";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { FakeError, pathText, type ValuePath } from "../basics/fake-error.ts";
import { redactedText } from "../basics/masked-copy.ts";
import { checked, expected } from "../files/checked.ts";
import { textPatternSchema } from "./stub-schema.ts";

/** One part of a stub's conditions that a call does not meet. */
export interface Difference {
  /** The path of a field in the request, such as `customer.tags[0]`, or `headers.x-user`. */
  readonly path: string;
  /** The condition: a value in ProtoJSON, a pattern, or null for what must not be set. */
  readonly expected: JsonValue;
  /** In ProtoJSON, with hidden fields and secret headers masked. Undefined if it is not set. */
  readonly got: JsonValue | undefined;
}

/** Longer texts match no pattern. The engine takes linear time, but this time is spent for every call. */
const maxTextCharacters = 64 * 1024;

// Loaded with the first pattern, as text-from-pattern.ts does.
const require = createRequire(import.meta.url);

/** `*` matches any text, `?` one character; a backslash takes the next character as it is. */
function globSource(glob: string): string {
  return glob.replaceAll(/\\(.)|[*?]|[^*?\\]|\\$/gsu, (part, escaped: string | undefined) => {
    if (part === "*") return ".*";
    if (part === "?") return ".";
    return (escaped ?? part).replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  });
}

function regularExpression(source: string, path: ValuePath): Re2.RE2JS {
  try {
    const { RE2JS } = require(fileURLToPath(import.meta.resolve("@bufbuild/re2"))) as typeof Re2;
    return new RE2JS(source);
  } catch (cause) {
    const text = `not a regular expression of RE2: ${(cause as Error).message}`;
    throw new FakeError("wrong-type", text, { path, cause });
  }
}

/**
 * Reads `{ matches }` or `{ glob }`. A regular expression has RE2's syntax, as in the contract's rules, takes linear time, and matches anywhere in the
 * text; a glob matches the whole text. Throws a FakeError for another form.
 */
export function textPattern(json: JsonValue, path: ValuePath): (text: string) => boolean {
  const { matches, glob = "" } = checked(textPatternSchema(), json, path);
  const isGlob = matches === undefined;
  const source = isGlob ? `(?s)${globSource(glob)}` : matches;
  const engine = regularExpression(source, [...path, isGlob ? "glob" : "matches"]);
  const test = isGlob ? (text: string) => engine.testExact(text) : (text: string) => engine.test(text);
  return (text) => text.length <= maxTextCharacters && test(text);
}

/** By name: the value, a pattern (`{ matches }`, `{ glob }`), or null for a header that must be missing. Upper and lower case of names are the same. */
export type HeaderConditions = Readonly<Record<string, JsonValue>>;

function testOf(json: JsonValue, path: ValuePath): (value: string | undefined) => boolean {
  if (json === null) return (value) => value === undefined;
  if (typeof json === "string") return (value) => value === json;
  if (!isObject(json)) throw expected("a text, a pattern or null", json, path);
  const test = textPattern(json, path);
  return (value) => value !== undefined && test(value);
}

const secretName =
  /cookie|auth(?!ors?\b)|token|secret|password|passwd|passphrase|credential|signature|jwt|(?:api|access|private|account)[-_]?key/i;
/** Credentials of HTTP's schemes, and JSON web tokens. */
const secretValue = /^(?:basic|bearer|digest|negotiate) |\beyJ[\w-]{8,}\.[\w-]+/i;

/** The value of a header for people: masked if its name or its form is one of credentials. */
function shownHeader(name: string, value: string): string {
  return secretName.test(name) || secretValue.test(value) ? redactedText : value;
}

/** The headers of a call for people. */
export function shownHeaders(metadata: Metadata): Readonly<Record<string, string>> {
  return Object.fromEntries([...metadata].map(([name, value]) => [name, shownHeader(name, value)]));
}

/** Conditions on the headers of a call, compiled. */
export interface HeaderPattern {
  /** True without conditions. */
  readonly isAny: boolean;
  readonly matches: (metadata: Metadata) => boolean;
  /** The conditions that a call does not meet. */
  readonly differences: (metadata: Metadata) => readonly Difference[];
}

/** Compiles conditions. Throws a FakeError for invalid ones, and for headers that no call can have. */
export function headerPattern(conditions: HeaderConditions, path: ValuePath): HeaderPattern {
  const tests = Object.entries(conditions).map(([written, json]) => {
    const name = written.toLowerCase();
    const at = [...path, written];
    if (isReservedMetadata(name)) {
      const text = `${name} belongs to the protocols: calls are compared without it`;
      throw new FakeError("unknown-field", text, { path: at });
    }
    return { name, json, test: testOf(json, at) };
  });
  return {
    isAny: tests.length === 0,
    matches: (metadata) => tests.every(({ name, test }) => test(metadata.get(name))),
    differences: (metadata) =>
      tests
        .filter(({ name, test }) => !test(metadata.get(name)))
        .map(({ name, json }) => {
          const value = metadata.get(name);
          const got = value === undefined ? undefined : shownHeader(name, value);
          return { path: pathText(["headers", name]), expected: json, got };
        }),
  };
}
