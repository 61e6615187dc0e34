// `@roundtrip/stacks/connect-node/parts`: parts of the connect-node server, for servers with another composition.
export { lateRequest } from "@roundtrip/styles/grpc/server";
export { readCompressions } from "../../../shared/connect-node/compressions.ts";
export { connectErrorOf } from "../../../shared/connect-node/connect-error.ts";
export { serveHttp2 } from "../../../shared/http2/http2-server.ts";
export { http2ServerSettings } from "../../../shared/http2/http2-settings.ts";
export { settingsWith } from "../../../shared/settings.ts";
