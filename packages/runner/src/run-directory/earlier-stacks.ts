// What files of before do not say of stacks, when an arm had a stack and a title and nothing more: completed here, and nowhere else.
import type { Arm, StackIds } from "@roundtrip/analysis";

type Made = Omit<StackIds, "stack">;
type Added = keyof Made | "stackTitle";

const stacksThen: Readonly<Record<string, Made>> = {
  "rest-express": { style: "rest", server: "express", client: "undici" },
  "graphql-apollo": { style: "graphql", server: "apollo", client: "undici" },
  "grpc-js": { style: "grpc", server: "grpc-js", client: "grpc-js" },
  floor: { style: "floor", server: "floor", client: "floor" },
};

/** Something of a stack with all of its ids. A stack that this project did not have then has one name for all of them. */
export function withStackIds<T extends { readonly stack: string }>(one: T): T & StackIds {
  const { stack } = one;
  return { ...(stacksThen[stack] ?? { style: stack, server: stack, client: stack }), ...one };
}

/** An arm as any version wrote it. */
export type WrittenArm = Omit<Arm, Added> & Partial<Pick<Arm, Added>>;

/** An arm of an older file. The title had the settings of the stack in parentheses, after the stack's own title. */
export function completeArm(arm: WrittenArm): Arm {
  const { stackTitle = arm.title.replace(/ \([^)]*\)/, "") } = arm;
  return { ...withStackIds(arm), stackTitle };
}
