// When initial resources were created: a child after its parent.
import { reflect } from "@bufbuild/protobuf/reflect";
import { timestampFromMs, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { type Resource, snakeCase } from "@roundtrip/contract/resources";
import type { ValueOf } from "../answers/draw.ts";
import { rulesOfField } from "../answers/rules.ts";
import { creations, likelyTimes } from "../answers/values/integer-range.ts";

const nsPerMs = 1_000_000n;

/** Gives every level of resources its own part of the time in which they are created: half of what the levels above leave. */
export function creationTimes(resources: readonly Resource[]): ValueOf {
  const levels = new Map(
    resources.map(({ message, pattern, key }) => [message, pattern ? pattern.length / 2 : key.length]),
  );
  const hasChildren = Math.max(...levels.values()) > 1;
  return (field) => {
    const level = levels.get(field.parent);
    const isTime = field.fieldKind === "message" && field.message.typeName === TimestampSchema.typeName;
    if (!hasChildren || level === undefined || !isTime || rulesOfField(field) !== undefined) return undefined;
    const { low, high } = likelyTimes(snakeCase(field.name));
    if (low !== creations.low) return undefined;
    const part = (high - low) / 2n ** BigInt(Math.ceil(level)) / nsPerMs;
    const start = high / nsPerMs - 2n * part;
    return (draw) => {
      const ms = Number(draw.bigint(start, start + part - 1n));
      return reflect(TimestampSchema, timestampFromMs(ms - (ms % 1_000)), false);
    };
  };
}
