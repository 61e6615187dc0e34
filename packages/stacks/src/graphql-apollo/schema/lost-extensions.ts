// Extensions, which a file may add to a message of another: GraphQL's types have the fields that they were declared with, and no others.
import type { DescExtension, DescMessage } from "@bufbuild/protobuf";
import type { Contract } from "@roundtrip/contract";

const known = new WeakMap<Contract, ReadonlyMap<string, readonly DescExtension[]>>();

function extensionsOf(contract: Contract): ReadonlyMap<string, readonly DescExtension[]> {
  const found = known.get(contract);
  if (found !== undefined) return found;
  const all = [...contract.registry].filter((type) => type.kind === "extension");
  const byType = Map.groupBy(all, ({ extendee }) => extendee.typeName);
  known.set(contract, byType);
  return byType;
}

/** What of a message is lost because it is declared elsewhere, each with the reason. */
export function lostExtensions(contract: Contract, { name, typeName }: DescMessage): readonly string[] {
  const extensions = extensionsOf(contract).get(typeName) ?? [];
  return extensions.map(
    (one) => `${name}.[${one.typeName}]: an extension; a type has the fields that it is declared with`,
  );
}
