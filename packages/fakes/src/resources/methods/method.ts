// What is known about a method of a resource, and how it answers.
import type { Handler, Operation, StreamHandler } from "@roundtrip/contract";
import type { ServiceFields } from "../service-fields.ts";
import type { Resource } from "../resource.ts";
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
