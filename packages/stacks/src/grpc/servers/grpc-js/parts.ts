// Parts of the grpc-js server, for servers with another composition.
export { lateRequest, statusOf } from "@roundtrip/styles/grpc/server";
export { Http2Sessions } from "../../../shared/http2/http2-sessions.ts";
export { grpcJsServerSettingsWith } from "../../grpc-js/grpc-js-settings.ts";
export { http2ServersOf } from "./grpc-js-internals.ts";
export { statusObjectOf } from "./status-object.ts";
