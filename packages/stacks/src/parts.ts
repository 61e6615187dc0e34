// `@roundtrip/stacks/parts`: parts that stacks share, for servers with another composition.
export { deadlineHeader, deadlineOf, isLoopbackHost } from "@roundtrip/styles/http/server";
export { serveHttp } from "./shared/node-server/http-server.ts";
