// What travels on the floor: frames with a length in front. All numbers are unsigned, big-endian, of 32 bits unless said otherwise.
//
//   greeting         "RTfloor1", from the server as soon as there is a connection; what a client asks need not wait for it;
//                    "RTclose1" from one that asks for the connection to be closed once what was sent by then is answered
//   learn request    [1 bit set, 31 bits: length of the body][milliseconds until the deadline]
//                    body: [16 bits: length of the operation's id][the id in UTF-8][the request in protobuf]
//   give-up          [1 bit set, 31 bits clear][which learn request of this connection, counted from 0]
//   echo request     [1 bit clear, 31 bits: length of the body][wanted length of the answer]  body: anything
//   answer           [1 bit clear, 31 bits: length of the body]  body: the response in protobuf, or anything for an echo
//   error            [1 bit set, 31 bits: length of the body]  body: google.rpc.Status
//
// Answers come in the order of the requests, also to those that were given up. Giving up is not answered.

/** The first bytes that a floor sends. A server that sends other bytes, or none, is not a floor. */
export const greeting = Buffer.from("RTfloor1");
export const closingGreeting = Buffer.from("RTclose1");
export const requestHeaderBytes = 8;
export const answerHeaderBytes = 4;
/** Longer ids do not occur; who sends one is not one of us. */
export const maxIdBytes = 1024;
/** The deadline of a call that has none. */
export const noDeadline = 2 ** 32 - 1;

const flag = 2 ** 31;

/** The first word of a header, taken apart. */
export function isFlagged(word: number): boolean {
  return word >= flag;
}

export function lengthIn(word: number): number {
  return word >= flag ? word - flag : word;
}

/** Asks the service; what comes back is its answer. */
export function learnRequest(operationId: string, request: Uint8Array, timeoutMs: number): Buffer {
  const id = Buffer.from(operationId);
  const bodyBytes = 2 + id.length + request.length;
  const frame = Buffer.allocUnsafe(requestHeaderBytes + bodyBytes);
  frame.writeUInt32BE(flag + bodyBytes, 0);
  frame.writeUInt32BE(timeoutMs, 4);
  frame.writeUInt16BE(id.length, 8);
  frame.set(id, 10);
  frame.set(request, 10 + id.length);
  return frame;
}

/** Cancels a learn request: nobody waits for its answer any more. */
export function giveUpRequest(number: number): Buffer {
  const frame = Buffer.allocUnsafe(requestHeaderBytes);
  frame.writeUInt32BE(flag, 0);
  frame.writeUInt32BE(number, 4);
  return frame;
}

/** What a learn request asks: an operation, and its request as bytes. */
export interface LearnParts {
  readonly operationId: string;
  readonly request: Buffer;
}

/** The two parts of a learn request's body, or undefined when it is not one. */
export function learnParts(body: Buffer): LearnParts | undefined {
  if (body.length < 2) return undefined;
  const start = 2 + body.readUInt16BE(0);
  if (start > Math.min(body.length, 2 + maxIdBytes)) return undefined;
  return { operationId: body.toString("utf8", 2, start), request: body.subarray(start) };
}

/** Asks for `wantedBytes` bytes. */
export function echoRequest(request: Uint8Array, wantedBytes: number): Buffer {
  const frame = Buffer.allocUnsafe(requestHeaderBytes + request.length);
  frame.writeUInt32BE(request.length, 0);
  frame.writeUInt32BE(wantedBytes, 4);
  frame.set(request, requestHeaderBytes);
  return frame;
}

/** A response or, when `failed`, a google.rpc.Status. */
export function answerFrame(body: Uint8Array, failed: boolean): Buffer {
  const frame = Buffer.allocUnsafe(answerHeaderBytes + body.length);
  frame.writeUInt32BE(failed ? flag + body.length : body.length, 0);
  frame.set(body, answerHeaderBytes);
  return frame;
}
