// Reads the server's times from answers. The fields are looked up once, before anything is timed.
import type { DescMessage, Message } from "@bufbuild/protobuf";
import { DurationSchema, type Duration } from "@bufbuild/protobuf/wkt";
import type { ReportedTimes } from "../study/study.ts";

/** Milliseconds by answer; NaN if it has none. */
export interface AnswerTimes {
  readonly queueMs: (answer: Message) => number;
  readonly serviceMs: (answer: Message) => number;
}

/** Throws an Error for a field that the answer does not have, or that is no duration. */
function durationIn(answer: DescMessage, name: string): (answer: Message) => number {
  const field = answer.fields.find((one) => one.name === name);
  if (field?.fieldKind !== "message" || field.message.typeName !== DurationSchema.typeName) {
    throw new Error(`${answer.typeName} has no field ${name} of type ${DurationSchema.typeName}`);
  }
  const { localName } = field;
  return (message) => {
    const duration = (message as Message & Readonly<Record<string, unknown>>)[localName] as Duration | undefined;
    return duration === undefined ? Number.NaN : Number(duration.seconds) * 1_000 + duration.nanos / 1e6;
  };
}

/** Throws an Error for unknown fields, and for fields that are not durations. */
export function answerTimes(answer: DescMessage, { queue, service }: ReportedTimes): AnswerTimes {
  return { queueMs: durationIn(answer, queue), serviceMs: durationIn(answer, service) };
}
