// Extensions of a contract's messages, which files may add to messages of other files.
import type { DescExtension, DescMessage } from "@bufbuild/protobuf";
import type { Contract } from "@roundtrip/contract";

const known = new WeakMap<Contract, ReadonlyMap<string, readonly DescExtension[]>>();

export function extensionsOf(contract: Contract, { typeName }: DescMessage): readonly DescExtension[] {
  let byType = known.get(contract);
  if (byType === undefined) {
    const all = [...contract.registry].filter((type) => type.kind === "extension");
    known.set(contract, (byType = Map.groupBy(all, ({ extendee }) => extendee.typeName)));
  }
  return byType.get(typeName) ?? [];
}
