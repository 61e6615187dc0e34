// Parts of the gRPC stack, for servers that are put together in another way.
export { statusOf } from "./errors.ts";
export { Http2Sessions } from "./connections/http2-sessions.ts";
export { grpcSettings } from "./settings.ts";
