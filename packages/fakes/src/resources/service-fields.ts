// The fields of a resource that the service sets: creation and update times, etag, version, and all fields that the contract marks as output
// only.
import { ScalarType, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { timestampFromMs, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { hasBehavior } from "@roundtrip/contract/field-rules";
import { crc32 } from "node:zlib";
import { keyText, type Key, type Resource } from "./resource.ts";

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

function isTime({ fieldKind, message, scalar }: DescField): boolean {
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
  /** Whether the resource's own id field determines its name on creation. */
  readonly takesOwnKey: boolean;

  constructor({ message, key }: Resource) {
    this.#desc = message;
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
    if (this.#own.length === 0) return;
    const target = reflect(this.#desc, message, false);
    let source: ReflectMessage | undefined;
    for (const [field, content] of this.#own) {
      if (content !== "made up") set(target, field, content, write);
      else {
        source ??= reflect(this.#desc, madeUp(), false);
        if (source.isSet(field)) target.set(field, source.get(field));
        else target.clear(field);
      }
    }
  }

  /** Sets the fields of a changed resource, and restores those that callers may have overwritten. */
  fillChanged(message: Message, before: Message, write: Write): void {
    if (this.#own.length === 0) return;
    const target = reflect(this.#desc, message, false);
    const source = reflect(this.#desc, before, false);
    for (const [field, content] of this.#own) {
      if (content === "updated" || content === "etag" || content === "version") set(target, field, content, write);
      else if (source.isSet(field)) target.set(field, source.get(field));
      else target.clear(field);
    }
  }

  /** Whether the caller's etag or version, if sent, is the current one (AIP-154). */
  isCurrent(given: Message, current: Message): boolean {
    const requested = reflect(this.#desc, given, false);
    const there = reflect(this.#desc, current, false);
    return this.#own.every(([field, content]) => {
      if (content !== "etag" && content !== "version") return true;
      return !requested.isSet(field) || requested.get(field) === there.get(field);
    });
  }
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
  } else if (field.message === undefined)
    target.set(field, BigInt(/ms$|millis$/.test(field.name) ? timeMs : Math.floor(timeMs / 1_000)));
  else target.set(field, reflect(TimestampSchema, timestampFromMs(timeMs), false));
}
