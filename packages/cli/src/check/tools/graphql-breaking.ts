// Compares the GraphQL schemas that two contracts become, by graphql-js.
import type { Contract } from "@roundtrip/contract";
import { loadStack } from "@roundtrip/stacks";
import { graphqlModel } from "@roundtrip/styles/graphql/parts";
import {
  BreakingChangeType,
  buildSchema,
  DangerousChangeType,
  findBreakingChanges,
  findDangerousChanges,
  type GraphQLSchema,
} from "graphql";
import type { Finding } from "./finding.ts";
import { graphqlFinding } from "./graphql-finding.ts";

/** The schema as its users read it: the stack's own document. */
async function schemaOf(contract: Contract): Promise<GraphQLSchema> {
  const stack = await loadStack("graphql-apollo");
  const [document] = await stack.documents(contract);
  return buildSchema(document?.text ?? "", { noLocation: true });
}

/** Schema changes that are told as another one, or change nothing for a document that was written before. */
const untold: ReadonlySet<string> = new Set([
  // A document that was written before does not name what is optional and new.
  DangerousChangeType.OPTIONAL_ARG_ADDED,
  DangerousChangeType.OPTIONAL_INPUT_FIELD_ADDED,
  // The type of a mutation's input that has lost its last field, and so on: a type goes when all that had it changed, which is told of each.
]);

/** What graphql-js finds that breaks documents, or may. */
export async function graphqlBreaking(before: Contract, after: Contract): Promise<readonly Finding[]> {
  const [old, young] = await Promise.all([schemaOf(before), schemaOf(after)]);
  const models = { before: graphqlModel(before), after: graphqlModel(after) };
  return [...findBreakingChanges(old, young), ...findDangerousChanges(old, young)]
    .filter(({ type }) => !untold.has(type))
    .map(({ type, description }) => graphqlFinding(type, description, models));
}

/** True for what breaks documents; others are dangerous in graphql-js's words. */
export function isBreaking({ rule }: Finding): boolean {
  return rule in BreakingChangeType;
}
