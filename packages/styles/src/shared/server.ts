// What server bindings of every style import; clients import none of it.

export { HeaderMap } from "./call-headers.ts";
export { metadataHeaders, metadataIn } from "./call-headers.ts";
export { jsonExcess, libraryWeights } from "./proto-json/json-limits.ts";
export { jsonReader } from "./proto-json/scalars.ts";
export { rpcStatusToBinary } from "./error-details.ts";
export { foreignPage, markForeign } from "./foreign-pages.ts";
