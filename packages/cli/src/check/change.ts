// What a change of a contract is, and what a style says about it.
import type { DescEnum, DescEnumValue, DescField, DescMessage } from "@bufbuild/protobuf";
import type { HttpBinding, Operation } from "@roundtrip/contract";

/** Where a value travels: in a request (by REST in its path, query or body, or by no notation at all), or in an answer. */
export type Place = "path" | "query" | "body" | "unsaid" | "answer";

interface Subject {
  /** Full name of what changed, as the contract before has it; of what is new, as the one after. */
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
  readonly places: ReadonlySet<Place>;
}

export interface FieldAddedOrRemoved extends Subject {
  readonly kind: "field-added" | "field-removed";
  readonly field: DescField;
  readonly places: ReadonlySet<Place>;
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
    | "field-rules-changed";
  readonly before: DescField;
  readonly after: DescField;
  readonly places: ReadonlySet<Place>;
}

export interface MessageRulesChange extends Subject {
  readonly kind: "message-rules-changed";
  readonly before: DescMessage;
  readonly after: DescMessage;
  readonly places: ReadonlySet<Place>;
}

export interface ValueAddedOrRemoved extends Subject {
  readonly kind: "enum-value-added" | "enum-value-removed";
  readonly value: DescEnumValue;
  readonly places: ReadonlySet<Place>;
}

export interface ValueChange extends Subject {
  readonly kind: "enum-value-renamed" | "enum-value-renumbered";
  readonly before: DescEnumValue;
  readonly after: DescEnumValue;
  readonly places: ReadonlySet<Place>;
}

/** One change of a contract. */
export type Change =
  | OperationChange
  | OperationAddedOrRemoved
  | BindingChange
  | TypeMoved
  | FieldAddedOrRemoved
  | FieldChange
  | MessageRulesChange
  | ValueAddedOrRemoved
  | ValueChange;

export type ChangeKind = Change["kind"];

/** True when callers send it. */
export function isSent(places: ReadonlySet<Place>): boolean {
  return [...places].some((place) => place !== "answer");
}

/** True when callers receive it. */
export function isReceived(places: ReadonlySet<Place>): boolean {
  return places.has("answer");
}
