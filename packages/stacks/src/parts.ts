// Parts that stacks share, for servers that are put together in another way: `@roundtrip/stacks/parts`.
export { deadlineHeader, deadlineOf } from "./http/http-deadline.ts";
export { serveHttp } from "./http/node-server/http-server.ts";
export { isLoopbackHost } from "./http/loopback-host.ts";
