// Reads google.api annotations of resources, if a contract imports them: name patterns.
import { getOption, hasOption, type DescExtension, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import type { GenExtension } from "@bufbuild/protobuf/codegenv2";
import type { MessageOptions } from "@bufbuild/protobuf/wkt";
import type { Contract } from "@roundtrip/contract";

/** google.api.ResourceDescriptor, as far as it is used here. */
type ResourceDescriptor = MessageShape<DescMessage> & { readonly pattern?: readonly string[] };

function extensionOf(contract: Contract, name: string): DescExtension | undefined {
  return contract.registry.getExtension(name);
}

/** The segments of the first usable pattern in `google.api.resource`, with variables as `*`; undefined if there is none. */
export function annotatedPattern(contract: Contract, message: DescMessage): readonly string[] | undefined {
  const extension = extensionOf(contract, "google.api.resource") as
    | GenExtension<MessageOptions, ResourceDescriptor>
    | undefined;
  if (extension === undefined || !hasOption(message, extension)) return undefined;
  const [pattern] = getOption(message, extension).pattern ?? [];
  const segments = pattern?.split("/").map((segment) => (/^\{.*\}$/.test(segment) ? "*" : segment));
  const isFollowed =
    segments?.length !== undefined &&
    segments.length % 2 === 0 &&
    segments.every((segment, at) => (segment === "*") === (at % 2 === 1));
  return isFollowed ? segments : undefined;
}
