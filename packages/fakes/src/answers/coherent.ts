// Makes the times of a message match its state: nothing is deleted before its state says so, and what runs has not ended.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import type { ReflectMessage } from "@bufbuild/protobuf/reflect";
import { snakeCase } from "@roundtrip/contract/resources";
import { isState } from "./values/failure.ts";
import { isRequiredField } from "./rules.ts";

/** Changes a message that was made up. */
export type Adjust = (message: ReflectMessage) => void;

const timeSuffix = /(?:^|_)(?:time|at|on|date|timestamp)(?:_(?:ms|millis|seconds|secs|micros|nanos|unix|utc))?$/;

/** Events that most messages have not had; the state after one has the same stem. */
const rareEvents = /delet|purg|tombston|destroy|remov|cancel|archiv|suspend|revok|retir|disabl|fail|reject|terminat/;

const endEvents = /(?:^|_)end|finish|complet|clos|stop/;
const startEvents = /start|begin|began|launch/;

/** States before the start, and before the end. */
const waiting = /PENDING|QUEUED|SCHEDULED|WAITING|NOT_STARTED|NOT_RUNNING|NEW$|UNSTARTED/;
const lasting = /RUN|ACTIVE|PROGRESS|CREATING|PROVISION|INITIAL|STARTING|UPDATING|OPEN|PAUS|ENABLED|SERVING|READY/;
const inactive = /INACTIVE|NOT_/;

/** Whether a time may be set beside a state; `state` is empty without one. */
function isPossible(event: string, state: string): boolean {
  const rare = rareEvents.exec(event)?.[0];
  if (rare !== undefined) return state.toLowerCase().includes(rare);
  if (state === "") return true;
  if (endEvents.test(event)) return !waiting.test(state) && (!lasting.test(state) || inactive.test(state));
  return !startEvents.test(event) || !waiting.test(state);
}

function isTime({ fieldKind, message, name, scalar }: DescField): boolean {
  if (fieldKind === "message") return message?.typeName === "google.protobuf.Timestamp";
  return fieldKind === "scalar" && scalar !== undefined && timeSuffix.test(snakeCase(name));
}

function stateField({ fields }: DescMessage): (DescField & { fieldKind: "enum" }) | undefined {
  const states = fields.filter((field) => field.fieldKind === "enum" && isState(field));
  const plain = states.find(({ name }) => /^(?:state|status|phase)$/.test(name));
  return (plain ?? states[0]) as (DescField & { fieldKind: "enum" }) | undefined;
}

/** What makes messages of a type coherent; undefined if nothing in it can contradict the rest. */
export function adjustmentOf(desc: DescMessage): Adjust | undefined {
  const times = desc.fields.flatMap((field) => {
    const event = snakeCase(field.name).replace(timeSuffix, "");
    return isTime(field) && event !== "" && !isRequiredField(field) ? [{ field, event }] : [];
  });
  if (times.length === 0) return undefined;
  const state = stateField(desc);
  return (message) => {
    const value = state === undefined ? undefined : state.enum.value[message.get(state)];
    for (const { field, event } of times) if (!isPossible(event, value?.name ?? "")) message.clear(field);
  };
}
