// Answers learn requests with real calls, so that later echoes have the size of a real answer.
import { toBinary, type Message } from "@bufbuild/protobuf";
import {
  CallError,
  ConnectionCut,
  requestFromBinary,
  type Operation,
  type ServerCall,
  type Service,
} from "@roundtrip/contract";
import { firstHalfOf, rpcStatusToBinary } from "@roundtrip/styles/server";
import { answerFrame, type LearnParts } from "./frames.ts";

export function errorAnswer(thrown: unknown): Buffer {
  return answerFrame(rpcStatusToBinary(CallError.from(thrown)), true);
}

/** Calls the service. Never throws or rejects: errors are answers too. @param cut closes the connection, after these bytes if given. */
export function learn(
  service: Service,
  { operationId, request }: LearnParts,
  call: ServerCall,
  cut: (part: Uint8Array | undefined) => void,
): Buffer | Promise<Buffer> {
  const succeed = (operation: Operation, response: Message): Buffer => {
    call.finish();
    return answerFrame(toBinary(operation.output, response), false);
  };
  const fail = (thrown: unknown): Buffer | Promise<Buffer> => {
    call.finish();
    if (!(thrown instanceof ConnectionCut)) return errorAnswer(thrown);
    const { output } = service.contract.operation(operationId);
    const { partOf } = thrown;
    cut(partOf && firstHalfOf(() => answerFrame(toBinary(output, partOf), false)));
    // The connection is closed: there is no answer.
    return new Promise(() => {});
  };
  try {
    const bytes = new Uint8Array(request.buffer, request.byteOffset, request.byteLength);
    const operation = service.contract.operation(operationId);
    const answer = service.call(operation, requestFromBinary(operation, bytes), call);
    if (!(answer instanceof Promise)) return succeed(operation, answer);
    return answer.then((response) => succeed(operation, response)).catch(fail);
  } catch (thrown) {
    return fail(thrown);
  }
}
