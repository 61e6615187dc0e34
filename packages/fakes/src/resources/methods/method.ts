// What is known when a method of a resource is looked at, and what comes of it.
import type { Handler, Operation, StreamHandler } from "@roundtrip/contract";
import type { KeptFields } from "../kept-fields.ts";
import type { Resource } from "../resource.ts";
import type { ResourceModel } from "../resource-model.ts";
import type { SessionState } from "../session-state.ts";

export interface MethodOf {
  readonly model: ResourceModel;
  readonly resource: Resource;
  readonly operation: Operation;
  readonly kept: KeptFields;
}

/** Answers in one session. What can be found out once is found out before. */
export type InSession = (state: SessionState) => Handler | StreamHandler;

/** Undefined when the operation lacks what such a method needs. */
export type ResourceMethod = (method: MethodOf) => InSession | undefined;
