// gRPC for its client bindings.
export { detailsTrailer, errorInDetails } from "./errors.ts";
export { MessageReader } from "./message-reader.ts";
export { acceptedEncodings, ofServer, packed } from "./message-encodings.ts";
export { metadataHeaders, receivedMetadata } from "./metadata-headers.ts";
export { errorInTrailers, statusMissing, streamReset } from "./status-headers.ts";
export { timeoutText } from "./timeout-text.ts";
export { limitations } from "./view.ts";
export { isGrpc, pathOf, requestHeaders } from "./wire-form.ts";
