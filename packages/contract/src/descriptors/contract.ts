// The contract as data: what every stack, fake and document generator interprets.
import type { HttpBinding } from "./http-binding.ts";
import {
  type DescField,
  type DescMessage,
  type DescMethod,
  type FileRegistry,
  fromBinary,
  toBinary,
  type Message,
} from "@bufbuild/protobuf";

/** Which sides of a call can send more than one message. */
export type OperationKind = DescMethod["methodKind"];

/** The method's `idempotency_level`: `none` is NO_SIDE_EFFECTS, `idempotent` is IDEMPOTENT, `unknown` is everything else. */
export type SideEffects = "none" | "idempotent" | "unknown";

/** One rpc of the contract, with everything that a style needs to serve or call it. */
export interface Operation {
  /** `package.Service.Method`, unique in the contract. */
  readonly id: string;
  readonly method: DescMethod;
  readonly input: DescMessage;
  readonly output: DescMessage;
  readonly kind: OperationKind;
  readonly sideEffects: SideEffects;
  /** The `google.api.http` bindings, the main one first; without annotations it is `POST /package.Service/Method`. */
  readonly bindings: readonly [HttpBinding, ...HttpBinding[]];
  /** The request's `read_mask` (AIP-157), if it has one, and the request is not itself part of an answer. */
  readonly readMask: DescField | undefined;
}

/** Whether callers may send more than one message. */
export function streamsRequests({ kind }: Pick<Operation, "kind">): boolean {
  return kind === "client_streaming" || kind === "bidi_streaming";
}

/** A compiled contract. */
export interface Contract {
  /** In the order in which the contract's files declare them. */
  readonly operations: readonly Operation[];
  readonly registry: FileRegistry;
  /** The operation with this id. Throws a CallError UNIMPLEMENTED when there is none. */
  operation(id: string): Operation;
}

/** Converts a message of one descriptor to the other; returns the same object if both have the same properties. */
export type Conversion = (message: Message) => Message;

const same: Conversion = (message) => message;

function isSameField(first: DescField, second: DescField | undefined): boolean {
  return (
    first.localName === second?.localName &&
    first.oneof?.localName === second.oneof?.localName &&
    first.fieldKind === second.fieldKind &&
    first.scalar === second.scalar &&
    first.message?.typeName === second.message?.typeName &&
    first.enum?.typeName === second.enum?.typeName &&
    ("longAsString" in first && first.longAsString) === ("longAsString" in second && second.longAsString)
  );
}

/** @param seen types that are compared already: messages can contain themselves. */
function isBuiltAlike(first: DescMessage, second: DescMessage, seen: Set<string>): boolean {
  if (first === second || seen.has(first.typeName)) return true;
  seen.add(first.typeName);
  const byNumber = new Map(second.fields.map((field) => [field.number, field]));
  return (
    first.fields.length === second.fields.length &&
    first.fields.every((field) => {
      const found = byNumber.get(field.number);
      if (found === undefined || !isSameField(field, found)) return false;
      const { message } = field;
      return message === undefined || isBuiltAlike(message, found.message ?? message, seen);
    })
  );
}

/** The conversion between two descriptors of the same type. */
export function conversion(from: DescMessage, to: DescMessage): Conversion {
  if (isBuiltAlike(from, to, new Set())) return same;
  return (message) => fromBinary(to, toBinary(from, message));
}
