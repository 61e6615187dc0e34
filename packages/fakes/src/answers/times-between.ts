// Times that go with those of other messages: a child is created after its parent, and no event in a stream is before the event before it, or before the
// creation of what it is about.
import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { type Timestamp, timestampFromMs, timestampMs, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { rulesOfField } from "@roundtrip/contract/declared-rules";
import { type Resource, snakeCase } from "@roundtrip/contract/resources";
import { creationField, earlierEvents } from "./coherent.ts";
import type { ValueOf } from "./draw.ts";
import { creations, likelyTimes } from "./values/integer-range.ts";

const nsPerMs = 1_000_000n;

/** Gives the initial resources of every level their own part of the time of creations: half of what the levels above leave. */
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

type Times = Record<string, Timestamp | undefined>;

/** In milliseconds since 1970; undefined without one. */
function timeIn(message: Message, { localName }: DescField): number | undefined {
  const time = (message as unknown as Times)[localName];
  return time && timestampMs(time);
}

function isMoment(field: DescField): boolean {
  const isTime = field.fieldKind === "message" && field.message.typeName === TimestampSchema.typeName;
  return isTime && field.oneof === undefined && !earlierEvents.test(field.name) && rulesOfField(field) === undefined;
}

/**
 * Changes the times of events of one type.
 * @param desc their type
 * @param subject the type of the resources that they are about, and each event's resource
 */
export function orderTimes(
  desc: DescMessage,
  events: readonly Message[],
  subject?: { readonly desc: DescMessage; readonly resources: readonly Message[] },
): void {
  const creation = subject && creationField(subject.desc);
  const created = events.map((_, at) => {
    const resource = subject?.resources[at];
    return (creation && resource && timeIn(resource, creation)) ?? -Infinity;
  });
  for (const field of desc.fields.filter(isMoment)) {
    const times = events.map((event) => timeIn(event, field));
    const sorted = times.filter((time) => time !== undefined).toSorted((time, next) => time - next);
    let latest = -Infinity;
    for (const [at, event] of events.entries()) {
      if (times[at] === undefined) continue;
      latest = Math.max(latest, sorted.shift() ?? -Infinity, created[at] ?? -Infinity);
      (event as unknown as Times)[field.localName] = timestampFromMs(latest);
    }
  }
}
