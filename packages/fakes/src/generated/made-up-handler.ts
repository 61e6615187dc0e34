// Answers an operation with made-up messages: one answer for a request, several if the operation streams.
import type { Message } from "@bufbuild/protobuf";
import { onlyRequest, type Handler, type Operation, type StreamHandler } from "@roundtrip/contract";
import { insideOf, readMasks } from "../resources/masks.ts";
import type { AnswerMaker } from "../answers/answer-maker.ts";

/** The number of messages in a stream; some requests get one more. */
const leastAnswers = 3;

/** The handler of one operation. */
export function madeUpHandler(maker: AnswerMaker, operation: Operation): Handler | StreamHandler {
  const answers = maker.of(operation);
  const masks = readMasks(operation, insideOf(operation));
  switch (operation.kind) {
    case "unary":
      return (request: Message) => masks(request)(answers.answerTo(request));
    case "server_streaming":
      return async function* (requests: AsyncIterable<Message>) {
        const request = await onlyRequest(requests);
        const read = masks(request);
        const hash = answers.hash(request);
        for (let index = 0; index < leastAnswers + (hash % 3); index++)
          yield read(answers.answer(request, hash, index));
      };
    case "client_streaming":
      return async function* (requests: AsyncIterable<Message>) {
        let hash = 0;
        for await (const request of requests) hash = answers.hash(request, hash);
        yield answers.answer(undefined, hash, 0);
      };
    case "bidi_streaming":
      return async function* (requests: AsyncIterable<Message>) {
        let hash = 0;
        let index = 0;
        for await (const request of requests) {
          hash = answers.hash(request, hash);
          yield answers.answer(request, hash, index++);
        }
      };
  }
}
