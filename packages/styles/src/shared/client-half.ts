// Shared parts for client bindings of every style.
export { metadataHeaders, receivedMetadata } from "./metadata-headers.ts";
export { serverUnavailable } from "./server-unavailable.ts";
export { streamReset } from "./stream-reset.ts";
export { unsupportedFeature, noStreams, refusedStream } from "./unsupported-feature.ts";
export { rpcStatusFromBinary } from "./rpc-status.ts";
