// gRPC for its client bindings.

export { detailsTrailer, errorInDetails } from "./errors.ts";
export { MessageReader } from "./wire.ts";
export { acceptedEncodings, ofServer, packed } from "./wire.ts";
export { metadataHeaders, receivedMetadata } from "../shared/call-headers.ts";
export { errorInTrailers, statusMissing } from "./wire.ts";
export { timeoutText } from "../shared/call-headers.ts";
export { limitations } from "./index.ts";
export { isGrpc, requestHeaders } from "./wire.ts";
