// One change of a contract, as its callers can see it.
import type { DescEnum, DescEnumValue, DescField, DescMessage } from "@bufbuild/protobuf";
import type { Operation, HttpBinding } from "@roundtrip/contract";

/**
 * Where a value travels: in a request, in the path, query or body of its HTTP binding, or in an answer. `whole` is what a binding has as all of the
 * body, `unmapped` what it has nowhere.
 */
export type ValueLocation =
  | "path"
  | "query"
  | "body"
  | "whole body"
  | "unmapped"
  | "answer"
  | "whole answer"
  | "unmapped answer";

interface Subject {
  /** Full name in the contract before; of what is new, in the contract after. */
  readonly where: string;
  /** For example `renamed to title`. */
  readonly what: string;
}

export interface OperationChange extends Subject {
  readonly kind: "operation-moved" | "streaming-changed" | "side-effects-changed";
  readonly before: Operation;
  readonly after: Operation;
}

export interface OperationAddedOrRemoved extends Subject {
  readonly kind: "operation-added" | "operation-removed";
  readonly operation: Operation;
}

export interface BindingChange extends Subject {
  readonly kind: "binding-added" | "binding-removed" | "binding-changed";
  readonly operation: Operation;
  readonly binding: HttpBinding;
}

export interface TypeMoved extends Subject {
  readonly kind: "type-moved";
  readonly before: DescMessage | DescEnum;
  readonly after: DescMessage | DescEnum;
  readonly locations: ReadonlySet<ValueLocation>;
}

/** A message that can only travel in a google.protobuf.Any. */
export interface TypeAddedOrRemoved extends Subject {
  readonly kind: "type-added" | "type-removed";
  readonly type: DescMessage;
  /** Of a removed message: one with the same fields and another name, which is new. */
  readonly replacement: DescMessage | undefined;
  readonly locations: ReadonlySet<ValueLocation>;
}

export interface FieldAddedOrRemoved extends Subject {
  readonly kind: "field-added" | "field-removed";
  readonly field: DescField;
  /** Of a removed field: the one that has its number now. */
  readonly replacement: DescField | undefined;
  readonly locations: ReadonlySet<ValueLocation>;
}

export interface FieldChange extends Subject {
  readonly kind:
    | "field-renamed"
    | "field-renumbered"
    | "field-type-changed"
    | "field-cardinality-changed"
    | "field-presence-changed"
    | "field-oneof-changed"
    | "field-default-changed"
    | "field-utf8-changed"
    | "field-rules-changed";
  readonly before: DescField;
  readonly after: DescField;
  readonly locations: ReadonlySet<ValueLocation>;
}

export interface MessageRulesChange extends Subject {
  readonly kind: "message-rules-changed";
  readonly before: DescMessage;
  readonly after: DescMessage;
  readonly locations: ReadonlySet<ValueLocation>;
}

export interface ValueAddedOrRemoved extends Subject {
  readonly kind: "enum-value-added" | "enum-value-removed";
  readonly value: DescEnumValue;
  /** Whether the number has a name in both contracts: another one, in the contract that lacks this one. */
  readonly isAlias: boolean;
  readonly locations: ReadonlySet<ValueLocation>;
}

export interface ValueChange extends Subject {
  readonly kind: "enum-value-renamed" | "enum-value-renumbered" | "enum-value-alias-first";
  readonly before: DescEnumValue;
  readonly after: DescEnumValue;
  readonly locations: ReadonlySet<ValueLocation>;
}

/** An open enum takes numbers that it does not name; a closed one refuses them. */
export interface EnumOpennessChange extends Subject {
  readonly kind: "enum-closed" | "enum-opened";
  readonly before: DescEnum;
  readonly after: DescEnum;
  readonly locations: ReadonlySet<ValueLocation>;
}

export type Change =
  | OperationChange
  | OperationAddedOrRemoved
  | BindingChange
  | TypeMoved
  | TypeAddedOrRemoved
  | FieldAddedOrRemoved
  | FieldChange
  | MessageRulesChange
  | ValueAddedOrRemoved
  | ValueChange
  | EnumOpennessChange;

export type ChangeKind = Change["kind"];

const answers: ReadonlySet<ValueLocation> = new Set(["answer", "whole answer", "unmapped answer"]);

export function isSent(locations: ReadonlySet<ValueLocation>): boolean {
  return [...locations].some((location) => !answers.has(location));
}

export function isReceived(locations: ReadonlySet<ValueLocation>): boolean {
  return [...locations].some((location) => answers.has(location));
}

/** Whether callers may receive it beside members of the oneof that it was in before. */
export function isBesideOneof({ before, after, locations }: FieldChange): boolean {
  if (!isReceived(locations) || before.oneof === undefined) return false;
  const others = new Set(before.oneof.fields.filter((field) => field !== before).map(({ number }) => number));
  return after.parent.fields.some(
    ({ number, oneof }) => others.has(number) && (oneof === undefined || oneof !== after.oneof),
  );
}

export function streamsAnswers({ kind }: Pick<Operation, "kind">): boolean {
  return kind === "server_streaming" || kind === "bidi_streaming";
}
