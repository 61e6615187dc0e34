// The fields of a resource that the service sets, such as times, etag and version, and what field behaviors (AIP-203) mean for a resource that is
// written: callers cannot set OUTPUT_ONLY fields, and cannot change IMMUTABLE ones.
import { create, type DescField, type DescMessage, equals, type Message, ScalarType } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { type Timestamp, timestampFromMs, timestampMs, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { CallError, type FieldViolation, type Operation } from "@roundtrip/contract";
import { hasBehavior, hasBehaviorInside, withoutBehavior } from "@roundtrip/contract/field-rules";
import type { Resource } from "@roundtrip/contract/resources";
import { countsAmong, earlierEvents, setCount } from "../answers/coherent.ts";
import { copyField } from "../answers/echoed.ts";
import { type SetTotals, totalsIn } from "../answers/totals.ts";
import { type Key, keyText } from "./resource.ts";
import { crc32 } from "node:zlib";

/** What is known about a write. */
export interface Write {
  readonly key: Key;
  /** The number of the write, from 1. */
  readonly version: number;
  readonly timeMs: number;
}

type Content = "created" | "updated" | "etag" | "version" | "made up";

const createdNames = /^(?:create_?time|created(?:_?(?:at|time|on|date))?|creation_?(?:time|timestamp|date))$/;
const updatedNames =
  /^(?:update_?time|updated(?:_?(?:at|time|on|date))?|modified(?:_?(?:at|time|on))?|last_?(?:modified|updated)(?:_?(?:at|time))?|modify_?time)$/;

const integers = new Set([ScalarType.INT32, ScalarType.INT64, ScalarType.UINT32, ScalarType.UINT64]);

export function isTime({ fieldKind, message, scalar }: DescField): boolean {
  if (message?.typeName === TimestampSchema.typeName) return fieldKind === "message";
  return fieldKind === "scalar" && scalar === ScalarType.INT64;
}

function contentOf(field: DescField): Content | undefined {
  const { name, fieldKind, scalar } = field;
  if (isTime(field) && createdNames.test(name)) return "created";
  if (isTime(field) && updatedNames.test(name)) return "updated";
  if (name === "etag" && scalar === ScalarType.STRING) return "etag";
  const isCounter = fieldKind === "scalar" && integers.has(field.scalar);
  if (isCounter && /^(?:resource_)?version$|^revision$|^generation$/.test(name)) return "version";
  return hasBehavior(field, "output-only") ? "made up" : undefined;
}

/** Reads and writes the fields that the service sets. */
export class ServiceFields {
  readonly #desc: DescMessage;
  readonly #own: readonly (readonly [DescField, Content])[];
  readonly #setTotals: SetTotals | undefined;
  /** Whether the resource's own id field determines its name on creation. */
  readonly takesOwnKey: boolean;

  constructor({ message, key }: Resource) {
    this.#desc = message;
    this.#setTotals = totalsIn(message);
    const keyFields = new Set(key.map(({ field }) => field));
    this.#own = message.fields.flatMap((field) => {
      const content = keyFields.has(field) ? undefined : contentOf(field);
      return content === undefined ? [] : [[field, content] as const];
    });
    const last = key.at(-1)?.field;
    this.takesOwnKey = last === undefined || !(hasBehavior(last, "output-only") || hasBehavior(last, "identifier"));
  }

  /** Removes everything except what callers send. */
  strip(message: Message): void {
    const target = reflect(this.#desc, message, false);
    for (const [field] of this.#own) target.clear(field);
  }

  /** Sets the fields of a new resource. @param madeUp makes output fields without a special meaning */
  fillNew(message: Message, madeUp: () => Message, write: Write): void {
    const target = reflect(this.#desc, message, false);
    let source: ReflectMessage | undefined;
    for (const [field, content] of this.#own) {
      if (content !== "made up") set(target, field, content, write);
      else {
        source ??= reflect(this.#desc, madeUp(), false);
        if (!source.isSet(field)) target.clear(field);
        else if (isBefore(source, field, write)) set(target, field, "created", write);
        else target.set(field, source.get(field));
      }
    }
    this.#derive(target, (field) => hasBehavior(field, "output-only") || !target.isSet(field));
  }

  /** Sets the fields of a changed resource, and restores those that callers may have overwritten. */
  fillChanged(message: Message, before: Message, write: Write): void {
    const target = reflect(this.#desc, message, false);
    const source = reflect(this.#desc, before, false);
    for (const [field, content] of this.#own) {
      if (content === "updated" || content === "etag" || content === "version") set(target, field, content, write);
      else if (source.isSet(field)) target.set(field, source.get(field));
      else target.clear(field);
    }
    this.#derive(target, (field) => hasBehavior(field, "output-only"));
  }

  /** Sets the counts that only the service sets, and the totals that it is to set. */
  #derive(target: ReflectMessage, isOwnTotal: (field: DescField) => boolean): void {
    for (const pair of countsAmong(this.#desc)) if (hasBehavior(pair[0], "output-only")) setCount(target, pair);
    this.#setTotals?.(target, isOwnTotal);
  }

  /** Whether the caller's etag or version, if sent, is the current one (AIP-154). */
  isCurrent(sent: Message, current: Message): boolean {
    const requested = reflect(this.#desc, sent, false);
    const there = reflect(this.#desc, current, false);
    return this.#own.every(([field, content]) => {
      if (content !== "etag" && content !== "version") return true;
      return !requested.isSet(field) || requested.get(field) === there.get(field);
    });
  }
}

/** Sets a time, in the unit of its field's name. */
export function setTime(target: ReflectMessage, field: DescField, timeMs: number): void {
  if (field.fieldKind === "message") target.set(field, reflect(TimestampSchema, timestampFromMs(timeMs), false));
  else target.set(field, BigInt(/ms$|millis$/.test(field.name) ? timeMs : Math.floor(timeMs / 1_000)));
}

/** Whether a time is before the resource was created, although its name does not say so. */
function isBefore(source: ReflectMessage, field: DescField, { timeMs }: Write): boolean {
  if (field.fieldKind !== "message" || !isTime(field) || earlierEvents.test(field.name)) return false;
  return timestampMs(source.get(field).message as Timestamp) < timeMs;
}

function set(target: ReflectMessage, field: DescField, content: Content, { key, version, timeMs }: Write): void {
  if (content === "etag")
    target.set(
      field,
      crc32(`${keyText(key)}:${version}`)
        .toString(16)
        .padStart(8, "0"),
    );
  else if (content === "version") {
    const isWide = field.scalar === ScalarType.INT64 || field.scalar === ScalarType.UINT64;
    target.set(field, isWide ? BigInt(version) : version);
  } else setTime(target, field, timeMs);
}

/** The same message without what the service ignores in it; a copy if there is any. */
export type IgnoreInRequest = (request: Message) => Message;

/**
 * Ignores the OUTPUT_ONLY fields of requests. Fields of the URL and keys stay, because they name the resource, and so do etags, which
 * name what was read.
 */
export function readingRequests(resources: readonly Resource[], { input, bindings }: Operation): IgnoreInRequest {
  if (!hasBehaviorInside(input, "output-only")) return (request) => request;
  const keys = new Set(resources.flatMap(({ key }) => key.map(({ field }) => field)));
  const inPaths = bindings.flatMap(({ path }) => path.variables.map(({ fieldPath }) => fieldPath.join(".")));
  const paths = new Set(inPaths);
  const isIgnored = (field: DescField, path: string): boolean =>
    !keys.has(field) && !paths.has(path) && field.name !== "etag";
  return (request) => withoutBehavior(input, request, "output-only", isIgnored);
}

/** Both messages of one type, before and after a change. */
interface Change {
  readonly before: ReflectMessage;
  readonly after: ReflectMessage;
}

function only(message: ReflectMessage, field: DescField): Message {
  const reflected = reflect(message.desc, create(message.desc), false);
  copyField(message, field, reflected, field);
  return reflected.message;
}

function isEqual({ before, after }: Change, field: DescField): boolean {
  return equals(before.desc, only(before, field), only(after, field));
}

function changedFields(change: Change, isKept: ReadonlySet<DescField | undefined>, prefix: string): string[] {
  const { before, after } = change;
  return before.fields.flatMap((field) => {
    const path = `${prefix}${field.name}`;
    if (isKept.has(field)) return [];
    if (hasBehavior(field, "immutable") || hasBehavior(field, "identifier")) {
      // A request without the field does not ask for a change.
      if (!after.isSet(field)) copyField(before, field, after, field);
      return isEqual(change, field) ? [] : [path];
    }
    if (field.fieldKind !== "message" || !hasBehaviorInside(field.message, "immutable")) return [];
    if (!before.isSet(field) || !after.isSet(field)) return [];
    return changedFields({ before: before.get(field), after: after.get(field) }, isKept, `${path}.`);
  });
}

/**
 * Throws INVALID_ARGUMENT if an immutable field of a resource would get another value; one that is missing after the change is restored. The key
 * is not compared, because it names the resource.
 */
export function requireUnchanged({ message: desc, key, singular }: Resource, before: Message, after: Message): void {
  if (!hasBehaviorInside(desc, "immutable") && !hasBehaviorInside(desc, "identifier")) return;
  const keys = new Set(key.map(({ field }) => field));
  const change = { before: reflect(desc, before, false), after: reflect(desc, after, false) };
  const violations = changedFields(change, keys, `${singular}.`).map((field): FieldViolation => {
    return { field, description: "cannot be changed after creation", reason: "immutable" };
  });
  const [first] = violations;
  if (first === undefined) return;
  throw new CallError("INVALID_ARGUMENT", `${first.field}: ${first.description}`, { violations });
}

/** Copies the OUTPUT_ONLY fields of messages inside a message from another one, where both have the message around them. */
export function copyOutputOnly(desc: DescMessage, from: Message, to: Message): void {
  copyInside(reflect(desc, from, false), reflect(desc, to, false));
}

function copyInside(from: ReflectMessage, to: ReflectMessage): void {
  for (const field of to.fields) {
    if (field.fieldKind !== "message" || !hasBehaviorInside(field.message, "output-only")) continue;
    if (!from.isSet(field) || !to.isSet(field)) continue;
    const [source, target] = [from.get(field), to.get(field)];
    for (const inner of target.fields)
      if (hasBehavior(inner, "output-only") && source.isSet(inner)) copyField(source, inner, target, inner);
    copyInside(source, target);
  }
}
