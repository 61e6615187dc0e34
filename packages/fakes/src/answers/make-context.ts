// What the makers of messages, fields and values pass to each other.
import type { DescField, DescMessage, Message, Registry } from "@bufbuild/protobuf";
import type { Draw } from "./draw.ts";

/** Both names in snake_case. */
export interface Purpose {
  readonly name: string;
  /** The name of the message with the field. */
  readonly owner: string;
}

/** The state in which a value is made. */
export interface MakeContext {
  readonly draw: Draw;
  /** How many more messages may be made inside this value. */
  readonly allowance: number;
  /** At this depth, only required messages are made. */
  readonly maxDepth: number;
  /** The number of messages around this value. */
  readonly depth: number;
  /** The number of messages made so far in the whole answer. */
  readonly total: { messages: number };
}

export type MakeMessage = (making: MakeContext) => Message;

/** Overrides the values of a field (for a list, of an item), as reflection represents them; undefined for fields without an override. */
export type ValueOf = (field: DescField) => ((draw: Draw) => unknown) | undefined;

export type MadeFor = "request" | "answer";

export interface MessageSource {
  readonly madeFor: MadeFor;
  /** Contains all types that a message may hold. */
  readonly registry: Registry;
  readonly valueOf: ValueOf;
  make(desc: DescMessage, making: MakeContext): Message;
}
