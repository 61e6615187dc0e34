// What client bindings of every style use.
export { serverUnavailable } from "./server-unavailable.ts";
export { unsupportedFeature, noStreams, refusedStream } from "./unsupported-feature.ts";
export { rpcStatusFromBinary } from "./rpc-status.ts";
