// Reads from answers what they tell of their server's time: which fields those are is looked up once, before anything is timed.
import type { DescMessage, Message } from "@bufbuild/protobuf";
import { DurationSchema, type Duration } from "@bufbuild/protobuf/wkt";
import type { ReportedTimes } from "../study/study.ts";

/** Milliseconds by an answer; NaN where it does not tell. */
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
    const told = (message as Message & Readonly<Record<string, unknown>>)[localName] as Duration | undefined;
    return told === undefined ? Number.NaN : Number(told.seconds) * 1_000 + told.nanos / 1e6;
  };
}

/** Throws an Error for fields that are none, or no durations. */
export function answerTimes(answer: DescMessage, { queue, service }: ReportedTimes): AnswerTimes {
  return { queueMs: durationIn(answer, queue), serviceMs: durationIn(answer, service) };
}
