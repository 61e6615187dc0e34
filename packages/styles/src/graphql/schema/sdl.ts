// Prints a contract in GraphQL's schema language: root types, then types in order of use, scalars last.
import type { Contract } from "@roundtrip/contract";
import { isIntrospectionType, isScalarType, isSpecifiedScalarType, printType } from "graphql";
import { graphqlModel } from "./model.ts";
import { contractSchema } from "./schema.ts";

const header = `# Made by Roundtrip from the contract's .proto files: change those, not this one.
# What a query selects is what the server reads: selection sets become read masks.
`;

export function sdlOf(contract: Contract): string {
  const schema = contractSchema(graphqlModel(contract), () => ({ resolve: () => undefined }));
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].filter(
    (type) => type !== null && type !== undefined,
  );
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => !isSpecifiedScalarType(type) && !isIntrospectionType(type) && !roots.some((root) => root === type),
  );
  const scalars = types.filter((type) => isScalarType(type));
  const ordered = [...roots, ...types.filter((type) => !isScalarType(type)), ...scalars];
  return `${header}\n${ordered.map((type) => printType(type)).join("\n\n")}\n`;
}
