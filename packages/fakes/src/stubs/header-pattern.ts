// Conditions on the headers of a call (its metadata, in gRPC), and which of them are secret.
import { isObject, isReservedMetadata, type Metadata } from "@roundtrip/contract";
import type { JsonValue } from "@bufbuild/protobuf";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import { expected } from "../files/form.ts";
import { redactedText } from "../basics/masked-copy.ts";
import { textPattern } from "./value-pattern.ts";

/** By name: the value, a pattern (`{ matches }`, `{ glob }`), or null for a header that must be missing. Upper and lower case of names are the same. */
export type HeaderConditions = Readonly<Record<string, JsonValue>>;

/** One condition, compiled. */
interface HeaderTest {
  /** In lower case. */
  readonly name: string;
  readonly expected: JsonValue;
  readonly test: (value: string | undefined) => boolean;
}

function testOf(json: JsonValue, path: ValuePath): HeaderTest["test"] {
  if (json === null) return (value) => value === undefined;
  if (typeof json === "string") return (value) => value === json;
  if (!isObject(json)) throw expected("a text, a pattern or null", json, path);
  const test = textPattern(json, path);
  return (value) => value !== undefined && test(value);
}

/** Compiles conditions. Throws a FakeError for invalid ones, and for headers that no call can have. */
export function headerTests(conditions: JsonValue, path: ValuePath): readonly HeaderTest[] {
  if (!isObject(conditions)) throw expected("headers: an object of texts and patterns by name", conditions, path);
  return Object.entries(conditions).map(([given, json]) => {
    const name = given.toLowerCase();
    const at = [...path, given];
    if (isReservedMetadata(name)) {
      throw new FakeError("unknown-field", `${name} belongs to the protocols: calls are compared without it`, {
        path: at,
      });
    }
    return { name, expected: json, test: testOf(json, at) };
  });
}

const secretName =
  /cookie|auth(?!ors?\b)|token|secret|password|passwd|passphrase|credential|signature|jwt|(?:api|access|private|account)[-_]?key/i;
/** Credentials of HTTP's schemes, and JSON web tokens. */
const secretValue = /^(?:basic|bearer|digest|negotiate) |\beyJ[\w-]{8,}\.[\w-]+/i;

/** The value of a header for people: masked if its name or its form is one of credentials. */
export function shownHeader(name: string, value: string): string {
  return secretName.test(name) || secretValue.test(value) ? redactedText : value;
}

/** The headers of a call for people. */
export function shownHeaders(metadata: Metadata): Readonly<Record<string, string>> {
  return Object.fromEntries([...metadata].map(([name, value]) => [name, shownHeader(name, value)]));
}
