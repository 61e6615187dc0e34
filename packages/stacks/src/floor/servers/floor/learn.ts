// Answers learn requests: here the floor is a real call, so that what it echoes afterwards has the size of a true answer.
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
import { answerFrame, type LearnParts } from "../../frames.ts";

/** The answer that carries an error. */
export function errorAnswer(thrown: unknown): Buffer {
  return answerFrame(rpcStatusToBinary(CallError.from(thrown)), true);
}

/**
 * Asks the service. Neither throws nor rejects: errors are answers too.
 * @param cut closes the connection where that is asked for, after these bytes if there are any; there is no answer then
 */
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
    // Nobody is there any more to be answered.
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
