// Parts that stacks share, for servers that are put together in another way, and for what has to know what a contract asks of callers: `@roundtrip/stacks/parts`.
export { deadlineHeader, deadlineOf } from "./http/http-deadline.ts";
export { serveHttp } from "./http/http-server.ts";
export { isLoopbackHost } from "./http/loopback-host.ts";
export { limitsOf, type Limits } from "./limits.ts";
export { mustBeGiven } from "./must-be-given.ts";
