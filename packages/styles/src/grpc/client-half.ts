// gRPC for its client bindings.
export { detailsTrailer, errorInDetails } from "./errors.ts";
export { MessageReader } from "./message-reader.ts";
export { acceptedEncodings, ofServer, packed } from "./message-encodings.ts";
export { metadataHeaders, receivedMetadata } from "../shared/metadata-headers.ts";
export { errorInTrailers, statusMissing } from "./status-headers.ts";
export { timeoutText } from "../shared/timeout-text.ts";
export { limitations } from "./view.ts";
export { isGrpc, pathOf, requestHeaders } from "./wire-form.ts";
