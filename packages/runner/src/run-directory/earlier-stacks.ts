// Completes older files, in which an arm had only a stack and a title. No other code handles them.
import type { Arm, StackIds } from "@roundtrip/analysis";

type Made = Omit<StackIds, "stack">;
type Added = keyof Made | "stackTitle";

const stacksThen: Readonly<Record<string, Made>> = {
  "rest-express": { style: "rest", server: "express", client: "undici" },
  "graphql-apollo": { style: "graphql", server: "apollo", client: "undici" },
  "grpc-js": { style: "grpc", server: "grpc-js", client: "grpc-js" },
  floor: { style: "floor", server: "floor", client: "floor" },
};

/** Completes the ids of a stack. A stack that this project did not have then uses one name for all of them. */
export function withStackIds<T extends { readonly stack: string }>(one: T): T & StackIds {
  const { stack } = one;
  return { ...(stacksThen[stack] ?? { style: stack, server: stack, client: stack }), ...one };
}

/** An arm as any version wrote it. */
export type WrittenArm = Omit<Arm, Added> & Partial<Pick<Arm, Added>>;

/** An arm of an older file. Its title had the settings of the stack in parentheses, after the stack's own title. */
export function completeArm(arm: WrittenArm): Arm {
  const { stackTitle = arm.title.replace(/ \([^)]*\)/, "") } = arm;
  return { ...withStackIds(arm), stackTitle };
}
