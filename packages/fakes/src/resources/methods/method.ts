// What all methods of a resource share.
import type { Handler, Operation, StreamHandler } from "@roundtrip/contract";
import type { Resource } from "@roundtrip/contract/resources";
import type { ServiceFields } from "../service-fields.ts";
import type { ResourceModel } from "../resource-model.ts";
import type { SessionState } from "../session-state.ts";

export interface MethodOf {
  readonly model: ResourceModel;
  readonly resource: Resource;
  readonly operation: Operation;
  readonly kept: ServiceFields;
}

/** Answers in one session. Everything that can be computed once is computed before. */
export type SessionHandler = (state: SessionState) => Handler | StreamHandler;

/** Undefined if the operation lacks what such a method needs. */
export type ResourceMethod = (method: MethodOf) => SessionHandler | undefined;
