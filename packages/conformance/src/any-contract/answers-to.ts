// Calls an operation of any kind with one request.
import type { Message } from "@bufbuild/protobuf";
import type { Client, Operation } from "@roundtrip/contract";

async function* twice(request: Message): AsyncGenerator<Message> {
  yield request;
  yield request;
}

/** All answers to a request, which an operation that streams requests gets twice, or once. Rejects with a CallError. */
export async function answersTo(
  client: Client,
  operation: Operation,
  request: Message,
  isOnce = false,
): Promise<readonly Message[]> {
  if (operation.kind === "unary") return [await client.prepare(operation)(request)];
  const requests = isOnce || operation.kind === "server_streaming" ? [request] : twice(request);
  const answers: Message[] = [];
  for await (const answer of client.prepareStream(operation)(requests)) answers.push(answer);
  return answers;
}
