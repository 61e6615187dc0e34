// Parts that stacks share, for servers that are put together in another way: `@roundtrip/stacks/parts`.
export { deadlineHeader, deadlineOf, isLoopbackHost } from "@roundtrip/styles/http/server";
export { serveHttp } from "./shared/node-server/http-server.ts";
