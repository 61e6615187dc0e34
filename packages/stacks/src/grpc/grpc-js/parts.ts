// Parts of the grpc-js server, for servers with another composition.

export { exhaustedRequest, lateRequest, statusOf } from "@roundtrip/styles/grpc/server";
export { Http2Sessions } from "../../shared/http2/http2-server.ts";
export { grpcJsServerSettingsWith } from "../libraries.ts";
export { http2ServersOf, statusObjectOf } from "./server-calls.ts";
