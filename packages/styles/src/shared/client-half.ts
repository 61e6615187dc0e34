// Shared parts for client bindings of every style.
export { serverUnavailable } from "./server-unavailable.ts";
export { unsupportedFeature, noStreams, refusedStream } from "./unsupported-feature.ts";
export { rpcStatusFromBinary } from "./rpc-status.ts";
