// Answers learn requests: here the floor is a real call, so that what it echoes afterwards has the size of a true answer.
import { toBinary, type Message } from "@bufbuild/protobuf";
import { CallError, type Operation, type ServerCall, type Service } from "@roundtrip/contract";
import { requestFromBinary } from "../binary-messages.ts";
import { rpcStatusToBinary } from "../rpc-status.ts";
import { answerFrame } from "./frames.ts";

/** The answer that carries an error. */
export function errorAnswer(thrown: unknown): Buffer {
  return answerFrame(rpcStatusToBinary(CallError.from(thrown)), true);
}

/** Asks the service. Neither throws nor rejects: errors are answers too. */
export function learn(
  service: Service,
  operationId: string,
  request: Buffer,
  call: ServerCall,
): Buffer | Promise<Buffer> {
  const succeed = (operation: Operation, response: Message): Buffer => {
    call.finish();
    return answerFrame(toBinary(operation.output, response), false);
  };
  const fail = (thrown: unknown): Buffer => {
    call.finish();
    return errorAnswer(thrown);
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
