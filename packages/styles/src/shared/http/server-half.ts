// Shared parts for server bindings over HTTP/1.1.
export { bodyFault, contentCodings, declaredTooLarge } from "./body-faults.ts";
export { type FaultBody, type WriteFaultBody } from "./fault-body.ts";
export { type HttpAnswer, type WholeAnswer } from "./http-answer.ts";
export { cutShort, closeConnection } from "./http-cut.ts";
export { deadlineHeader, deadlineOf } from "./http-deadline.ts";
export { type HttpError } from "./http-error.ts";
export { type HttpService, type ReceivedRequest, type ServedExchange } from "./http-service.ts";
export { checkJsonType, parsedJson } from "./json-body.ts";
export { isLoopbackHost } from "./loopback-host.ts";
export { STATUS_CODES, createServer } from "./node-http.ts";
