// The times of events in a stream: none is before that of the event before it, or before the creation of what it is about.
import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { type Timestamp, timestampFromMs, timestampMs, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { creationField, earlierEvents } from "./coherent.ts";
import { rulesOfField } from "./rules.ts";

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
