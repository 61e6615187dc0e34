// The contract as data: what every stack, fake and document generator interprets.
import type { HttpBinding } from "./http-binding.ts";
import type { DescField, DescMessage, DescMethod, FileRegistry } from "@bufbuild/protobuf";

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
