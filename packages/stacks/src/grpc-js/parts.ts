// Parts of the gRPC stack, for servers that are put together in another way.
export { statusOf } from "./errors.ts";
export { Http2Sessions } from "./http2/http2-sessions.ts";
export { grpcJsSettings } from "./library/grpc-js-settings.ts";
export { http2ServersOf } from "./library/server/grpc-js-internals.ts";
export { statusObjectOf } from "./library/server/status-object.ts";
export { lateRequest } from "./wire-form.ts";
