// A client whose every call carries the same metadata, such as the token that says who calls.
import type { CallOptions, Client } from "./client.ts";
import type { Metadata } from "./metadata.ts";

/** The client with this metadata added to each call; what a call gives itself under the same name goes before it. */
export function withMetadata(client: Client, metadata: Metadata): Client {
  // Made once: most calls have no options of their own.
  const alone: CallOptions = { metadata };
  const added = (options: CallOptions | undefined): CallOptions => {
    if (options === undefined) return alone;
    const own = options.metadata;
    return { ...options, metadata: own === undefined ? metadata : new Map([...metadata, ...own]) };
  };
  return {
    contract: client.contract,
    prepare(operation) {
      const invoke = client.prepare(operation);
      return (request, options) => invoke(request, added(options));
    },
    prepareStream(operation) {
      const invoke = client.prepareStream(operation);
      return (requests, options) => invoke(requests, added(options));
    },
    prepareTogether(operations) {
      const invoke = client.prepareTogether(operations);
      return (requests, options) => invoke(requests, added(options));
    },
    close: () => client.close(),
  };
}
