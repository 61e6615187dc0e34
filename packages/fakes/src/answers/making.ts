// What the makers of messages, fields and values tell each other.
import type { DescField, DescMessage, Message, Registry } from "@bufbuild/protobuf";
import type { Draw } from "./draw.ts";

/** What is known where a value is made. */
export interface Making {
  readonly draw: Draw;
  /** How many more messages may be made for it. */
  readonly allowance: number;
  /** Messages around it. */
  readonly depth: number;
  /** Of all that is made with this one: how many messages there are so far. */
  readonly total: { messages: number };
}

/** Makes a message of one type. */
export type MakeMessage = (making: Making) => Message;

/** Makes up what a field holds, of a list an item, as reflection has it; undefined where nothing certain is known of it. */
export type ValueOf = (field: DescField) => ((draw: Draw) => unknown) | undefined;

/** Where messages inside of messages come from. */
export interface MessageSource {
  /** Has all types that a message may hold. */
  readonly registry: Registry;
  readonly valueOf: ValueOf;
  make(desc: DescMessage, making: Making): Message;
}
