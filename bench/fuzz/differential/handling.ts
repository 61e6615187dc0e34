// The service that is asked: it replies what the sample says, whatever the contract, and notes what it heard.
import type { Message } from "@bufbuild/protobuf";
import { CallError, type CallContext, type Contract, type Handler, type StreamHandler } from "@roundtrip/contract";
import { messageLines } from "./message-lines.ts";
import { metadataLines } from "./metadata-lines.ts";
import type { Sample } from "./sample.ts";

/** Handlers that reply what the sample says, and note what they hear of it. */
export class Handling {
  #sample: Sample | undefined;
  #lines: [string, string][] = [];
  readonly #registry: Contract["registry"];

  constructor({ registry }: Contract) {
    this.#registry = registry;
  }

  /** From now on this is asked. */
  begin(sample: Sample): void {
    this.#sample = sample;
    this.#lines = [];
  }

  get heard(): readonly [string, string][] {
    return this.#lines;
  }

  /** What is to be replied, and who notes a request of this call: a stream may go on after its caller has the answer. */
  #begun({ metadata, answerMetadata }: CallContext) {
    const [sample, lines] = [this.#sample, this.#lines];
    if (sample === undefined) throw new CallError("INTERNAL", "a call that nobody made");
    lines.push(...metadataLines("metadata", metadata, [...sample.metadata.keys()]));
    for (const [name, value] of sample.reply.metadata) answerMetadata.set(name, value);
    const hear = (index: number, request: Message): void => {
      lines.push(...messageLines(`request[${index}]`, sample.operation.input, request, this.#registry));
    };
    return { ...sample, hear };
  }

  readonly unary: Handler = (request, context) => {
    const { reply, hear } = this.#begun(context);
    hear(0, request);
    const [answer] = reply.answers;
    if (answer === undefined) throw reply.error ?? new CallError("INTERNAL", "a reply without an answer");
    return answer;
  };

  readonly stream: StreamHandler = (requests, context) => this.#stream(requests, context);

  async *#stream(requests: AsyncIterable<Message>, context: CallContext): AsyncGenerator<Message> {
    const { operation, reply, hear } = this.#begun(context);
    const wanted = operation.kind === "server_streaming" ? 1 : reply.reads;
    let index = 0;
    if (wanted > 0) {
      for await (const request of requests) {
        hear(index, request);
        index += 1;
        if (index >= wanted) break;
      }
    }
    yield* reply.answers;
    if (reply.error !== undefined) throw reply.error;
  }
}
