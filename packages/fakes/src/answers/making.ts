// What the makers of messages, fields and values tell each other.
import type { DescMessage, Message, Registry } from "@bufbuild/protobuf";
import type { Draw } from "./draw.ts";

/** What is known where a value is made. */
export interface Making {
  readonly draw: Draw;
  /** How many more messages may be made for it. */
  readonly allowance: number;
  /** Messages around it. */
  readonly depth: number;
}

/** Makes a message of one type. */
export type MakeMessage = (making: Making) => Message;

/** Where messages inside of messages come from. */
export interface MessageSource {
  /** Has all types that a message may hold. */
  readonly registry: Registry;
  make(desc: DescMessage, making: Making): Message;
}
