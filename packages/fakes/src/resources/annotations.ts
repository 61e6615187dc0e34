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

/** Whether collections and ids alternate. */
function isFollowed(segments: readonly string[]): boolean {
  return segments.length % 2 === 0 && segments.every((segment, at) => (segment === "*") === (at % 2 === 1));
}

/** The segments of each usable pattern in `google.api.resource`, with variables as `*`. */
export function annotatedPatterns(contract: Contract, message: DescMessage): readonly (readonly string[])[] {
  const extension = extensionOf(contract, "google.api.resource") as
    | GenExtension<MessageOptions, ResourceDescriptor>
    | undefined;
  if (extension === undefined || !hasOption(message, extension)) return [];
  const patterns = (getOption(message, extension).pattern ?? []).map((pattern) =>
    pattern.split("/").map((segment) => (/^\{.*\}$/.test(segment) ? "*" : segment)),
  );
  return patterns.filter(isFollowed);
}
