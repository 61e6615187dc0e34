// The events in the life of a resource, by the names of their times: an order is placed, paid, shipped and then delivered, a loan has a time of return once
// its state says RETURNED, and what is overdue was due before.
import type { DescEnumValue, DescField, DescMessage } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { snakeCase } from "@roundtrip/contract/resources";
import { shortName, stateFields } from "../resources/states.ts";

const timeSuffix = /(?:^|_)(?:time|at|on|date|timestamp)(?:_(?:ms|millis|seconds|secs|micros|nanos|unix|utc))?$/;

/** The event of a time, such as `check_in` of `check_in_time`; empty for a bare `time`. */
export function eventOf({ name }: DescField): string {
  return snakeCase(name).replace(timeSuffix, "");
}

/** Whether a field is named like a time. */
export function hasTimeName({ name }: DescField): boolean {
  return timeSuffix.test(snakeCase(name));
}

/** By how far a thing has come when they happen. */
const stages: readonly RegExp[] = [
  /^(?:submi|order|plac|request|book|borrow|rent|lend|lent|loan|appl|regist|invit|issu)/,
  /^(?:accept|confirm|approv|assign|pay$|paid|payment|charg|sign|authori)/,
  /^(?:pack|ship|dispatch|send|sent|releas|publi|start|begin|began|launch|activat|board|open)/,
  /^(?:deliver|receiv|return|complet|finish|end|resolv|settl|refund|clos|stop)/,
  /^(?:cancel|reject|declin|abandon|archiv|retir)/,
];

/** Below 0 for other events than those of one word. */
function stageOf(field: DescField): number {
  const event = eventOf(field);
  return /^[a-z]+$/.test(event) ? stages.findIndex((names) => names.test(event)) : -1;
}

/** The times of events of one word, in the order in which they happen. */
export function inOrderOfStages(times: readonly DescField[]): readonly DescField[] {
  return times.filter((field) => stageOf(field) >= 0).toSorted((a, b) => stageOf(a) - stageOf(b));
}

const irregular: Readonly<Record<string, string>> = {
  sent: "send",
  paid: "pay",
  payment: "pay",
  held: "hold",
  built: "build",
  lost: "lose",
  sold: "sell",
  frozen: "freeze",
  withdrawn: "withdraw",
  begun: "begin",
};

/** Alike for a verb, its participle and its noun: `archive` and `ARCHIVED`, `cancellation` and `CANCELED`. */
function stemsOf(name: string): string {
  const words = name.toLowerCase().split("_");
  return words
    .map((word) => (irregular[word] ?? word).replace(/(?:ation|ion|ied|ed|al|e|d|y)$/, "").replace(/(.)\1$/, "$1"))
    .join("_");
}

/** Of every state, also of the first. */
const always = /^(?:creat|updat|modif|chang)/;

/** A time, and the state that its event leads to. */
export interface StateEvent {
  readonly field: DescField;
  readonly value: DescEnumValue;
}

/** The times of a resource whose events are its states: `return_time` and RETURNED. */
export function stateEvents(desc: DescMessage): readonly StateEvent[] {
  const values = stateFields(desc)[0]?.enum.values ?? [];
  return desc.fields.filter(hasTimeName).flatMap((field) => {
    const event = eventOf(field);
    const value = values.find((candidate) => stemsOf(shortName(candidate)) === stemsOf(event));
    return value === undefined || always.test(event) ? [] : [{ field, value }];
  });
}

/** States beside the usual way, which have none of the states before them behind them for sure. */
const astray =
  /CANCEL|REJECT|DECLIN|FAIL|ERROR|EXPIR|OVERDUE|PAST_DUE|LAPS|LOST|ABANDON|NO_SHOW|DISPUT|SUSPEND|UNKNOWN/;

/** Whether something in a state has been in another: values of states are in their usual order. */
export function hasReached(state: DescEnumValue, { number }: DescEnumValue): boolean {
  return state.number === number || (state.number > number && !astray.test(state.name));
}

const over = /OVERDUE|PAST_DUE|EXPIRED|LAPSED/;
const limits = /(?:^|_)(?:due|deadline|expir\w*|valid_?(?:until|to)|not_after)$/;
const yearsAhead = 16n;
const secondsOfYear = 31_557_600n;

/** The times until which something is allowed. They are made up far ahead of the others. */
export function limitsAmong(times: readonly DescField[]): readonly DescField[] {
  return times.filter((field) => field.message?.typeName === TimestampSchema.typeName && limits.test(eventOf(field)));
}

/** Moves the limit of something whose state says that it is over among the other times. */
export function passLimit(message: ReflectMessage, field: DescField, state: string): void {
  if (field.fieldKind !== "message" || !over.test(state) || !message.isSet(field)) return;
  const time = message.get(field).message as Timestamp;
  const seconds = time.seconds - yearsAhead * secondsOfYear;
  message.set(field, reflect(TimestampSchema, { ...time, seconds }, false));
}
