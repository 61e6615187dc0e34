// The service under test: for any contract, it replies as the sample says and records what it received.
import type { Message } from "@bufbuild/protobuf";
import { CallError, type CallContext, type Contract, type Handler, type StreamHandler } from "@roundtrip/contract";
import { messageLines } from "./message-lines.ts";
import { metadataLines } from "./metadata-lines.ts";
import type { Sample } from "./sample.ts";

/** Handlers that reply as the sample says and record what they receive. */
export class Handling {
  #sample: Sample | undefined;
  #lines: [string, string][] = [];
  readonly #registry: Contract["registry"];

  constructor({ registry }: Contract) {
    this.#registry = registry;
  }

  /** Starts a sample. */
  begin(sample: Sample): void {
    this.#sample = sample;
    this.#lines = [];
  }

  get heard(): readonly [string, string][] {
    return this.#lines;
  }

  /** The reply, and the recorder of requests of this call: a stream may continue after its caller has the answer. */
  #begun({ metadata, answerMetadata }: CallContext) {
    const [sample, lines] = [this.#sample, this.#lines];
    if (sample === undefined) throw new CallError("INTERNAL", "unexpected call");
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
