// What client bindings of every style use.
export { noAnswer } from "./no-answer.ts";
export { cannot, noStreams, refusedStream } from "./refused.ts";
export { rpcStatusFromBinary } from "./rpc-status.ts";
