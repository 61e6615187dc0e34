// What server bindings of every style import; clients import none of it.
export { firstHalfOf } from "./first-half.ts";
export { HeaderMap } from "./header-map.ts";
export { metadataHeaders, receivedMetadata } from "./metadata-headers.ts";
export { jsonReader } from "./proto-json/exact-json.ts";
export { rpcStatusToBinary } from "./rpc-status.ts";
