// Says in which parts a call differs from a pattern, for people who wonder why a stub did not answer. Runs when a log is read, not for calls.
import {
  type DescField,
  type DescMessage,
  isFieldSet,
  type JsonObject,
  type JsonValue,
  type Message,
  type Registry,
  toJson,
} from "@bufbuild/protobuf";
import { type Contract, isObject, type Metadata, type ServerCall } from "@roundtrip/contract";
import type { CompiledStub } from "./compiled-stub.ts";
import { type HeaderConditions, headerTests, isListPattern, isTextPattern, shownHeader } from "./patterns.ts";
import { pathText, type ValuePath } from "../basics/fake-error.ts";
import { redactedText } from "../basics/masked-copy.ts";
import { isRedacted, redactedCopy } from "../basics/redacted.ts";
import { isWhole, knownField } from "./read-message.ts";
import { listElementTest, mapElementTest, requestPattern } from "./request-pattern.ts";
import { valueOf } from "./stub-index.ts";

/** A stub that did not match. */
export interface NearStub {
  /** Its number among all stubs of the session, from 1, in order of precedence. */
  readonly position: number;
  readonly when: JsonValue;
  readonly whenHeaders: HeaderConditions;
  readonly differences: readonly Difference[];
}

/** Only so many stubs are compared, since recordings have thousands. */
const comparedStubs = 200;
const shownStubs = 3;

const unmatchedKey = Symbol("unmatched stubs");

interface MarkedCall extends ServerCall {
  [unmatchedKey]?: readonly CompiledStub[];
}

/** Notes that none of these stubs matched the call. */
export function noteUnmatched(call: ServerCall, stubs: readonly CompiledStub[]): void {
  (call as MarkedCall)[unmatchedKey] = stubs;
}

/** The stubs that {@link noteUnmatched} noted; undefined for a call that a stub answered, or whose operation has no stubs. */
export function unmatchedStubs(call: ServerCall): readonly CompiledStub[] | undefined {
  return (call as MarkedCall)[unmatchedKey];
}

/** The stubs with the fewest differences from the call, the nearest first. */
export function nearStubs(
  stubs: readonly CompiledStub[],
  request: Message,
  metadata: Metadata,
  { registry }: Contract,
): readonly NearStub[] {
  return stubs
    .slice(0, comparedStubs)
    .map(({ position, operation, stub: { when, whenHeaders = {} } }) => ({
      position,
      when,
      whenHeaders,
      differences: [
        ...requestDifferences(operation.input, when, request, registry),
        ...headerDifferences(whenHeaders, metadata),
      ],
    }))
    .filter(({ differences }) => differences.length > 0)
    .toSorted((one, other) => one.differences.length - other.differences.length)
    .slice(0, shownStubs);
}

/** One part of a pattern that a call does not match. */
export interface Difference {
  /** The path of a field in the request, such as `customer.tags[0]`, or `headers.x-user`. */
  readonly path: string;
  /** The condition: a value in ProtoJSON, a pattern, or null for what must not be set. */
  readonly expected: JsonValue;
  /** In ProtoJSON, with hidden fields and secret headers masked. Undefined if it is not set. */
  readonly got: JsonValue | undefined;
}

/** What is compared: a message, and its JSON for people. */
interface Compared {
  readonly message: Message;
  readonly json: JsonValue | undefined;
  readonly path: ValuePath;
}

function memberOf(json: JsonValue | undefined, key: string | number): JsonValue | undefined {
  if (Array.isArray(json)) return json[Number(key)];
  return isObject(json) && Object.hasOwn(json, key) ? json[key] : undefined;
}

/** Compares the elements of a list or map one by one. Undefined if they can only be compared as a whole. */
function elementDifferences(
  field: DescField,
  expected: JsonValue,
  { message, json, path }: Compared,
  registry: Registry,
): readonly Difference[] | undefined {
  const { message: type, fieldKind } = field;
  if (isListPattern(field, expected)) return undefined;
  const isList = fieldKind === "list";
  const values = valueOf(field)(message) as Readonly<Record<string, unknown>>;
  const wanted = Object.entries(expected as object as JsonObject);
  if (isList && (values as unknown as readonly unknown[]).length !== wanted.length) return undefined;
  return wanted.flatMap(([key, one]) => {
    const at = [...path, isList ? Number(key) : key];
    const value = values[key];
    const shown = memberOf(json, key);
    if (value !== undefined && type !== undefined && !isWhole(type)) {
      return messageDifferences(type, one, { message: value as Message, json: shown, path: at }, registry);
    }
    const test = isList ? listElementTest(field, one, registry) : mapElementTest(field, key, one, registry);
    return value !== undefined && test(value) ? [] : [{ path: pathText(at), expected: one, got: shown }];
  });
}

function fieldDifferences(
  field: DescField,
  expected: JsonValue,
  compared: Compared,
  registry: Registry,
): readonly Difference[] {
  const { message, json, path } = compared;
  const { message: type, fieldKind } = field;
  const whole = [{ path: pathText(path), expected, got: json }];
  // The masked JSON lacks hidden values that are no texts: they would seem not to be set.
  if (isRedacted(field) && isFieldSet(message, field)) return [{ path: pathText(path), expected, got: redactedText }];
  if (expected === null) return whole;
  if (fieldKind === "list" || fieldKind === "map") {
    return elementDifferences(field, expected, compared, registry) ?? whole;
  }
  if (type === undefined || isWhole(type) || isTextPattern(field, expected)) return whole;
  const inner = valueOf(field)(message) as Message | undefined;
  if (inner === undefined) return whole;
  return messageDifferences(type, expected, { message: inner, json, path }, registry);
}

function messageDifferences(
  type: DescMessage,
  when: JsonValue,
  { message, json, path }: Compared,
  registry: Registry,
): readonly Difference[] {
  if (isWhole(type) || !isObject(when)) return [{ path: pathText(path), expected: when, got: json }];
  return Object.entries(when).flatMap(([name, expected]) => {
    if (requestPattern(type, { [name]: expected }, registry)(message)) return [];
    const field = knownField(type, name, []);
    const compared = { message, json: memberOf(json, field.jsonName), path: [...path, name] };
    return fieldDifferences(field, expected, compared, registry);
  });
}

/** The message in ProtoJSON with all fields that have a value; undefined if it has no JSON. */
function shownJson(type: DescMessage, message: Message, registry: Registry): JsonValue | undefined {
  try {
    return toJson(type, redactedCopy(type, message, registry), { registry, alwaysEmitImplicit: true });
  } catch {
    // An Any of an unknown type.
    return undefined;
  }
}

/** The parts of the pattern that the request does not match; empty if it matches. The pattern must be valid for {@link requestPattern}. */
export function requestDifferences(
  type: DescMessage,
  when: JsonValue,
  message: Message,
  registry: Registry,
): readonly Difference[] {
  if (requestPattern(type, when, registry)(message)) return [];
  return messageDifferences(type, when, { message, json: shownJson(type, message, registry), path: [] }, registry);
}

/** The conditions on headers that a call does not meet. */
export function headerDifferences(conditions: HeaderConditions, metadata: Metadata): readonly Difference[] {
  return headerTests(conditions, [])
    .filter(({ name, test }) => !test(metadata.get(name)))
    .map(({ name, expected }) => {
      const got = metadata.get(name);
      return {
        path: pathText(["headers", name]),
        expected,
        got: got === undefined ? undefined : shownHeader(name, got),
      };
    });
}

const shownCharacters = 200;

function shortJson(json: JsonValue): string {
  const text = JSON.stringify(json);
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
}

/** A difference in one line: `customer.mail: expected "a@b.example", got ""`. */
export function differenceText({ path, expected, got }: Difference): string {
  const wanted = expected === null ? "nothing" : shortJson(expected);
  const actual = got === undefined ? "nothing" : shortJson(got);
  return `${path === "" ? "the request" : path}: expected ${wanted}, got ${actual}`;
}
