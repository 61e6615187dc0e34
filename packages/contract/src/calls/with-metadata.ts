// A client that sends the same metadata with every call, for example a bearer token.
import type { CallOptions, Client } from "./client.ts";
import type { Metadata } from "./metadata.ts";

/** The client with this metadata added to each call. A call's own value for the same name wins. */
export function withMetadata(client: Client, metadata: Metadata): Client {
  // Made once, because most calls have no options.
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
