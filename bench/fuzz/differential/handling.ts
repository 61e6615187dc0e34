// The service under test: for any contract, it replies as the sample says and records what it received.
import type { Message } from "@bufbuild/protobuf";
import {
  CallError,
  type CallContext,
  type Contract,
  type Handler,
  type Metadata,
  type StreamHandler,
} from "@roundtrip/contract";
import { messageLines } from "./message-lines.ts";
import { metadataLines } from "./metadata-lines.ts";
import type { Sample } from "./sample.ts";

/** Numbers the sample: the call of a caller that gave up may begin at the server after the next sample has begun. */
const numberName = "sample-number";

/** Handlers that reply as the sample says and record what they receive. */
export class Handling {
  #number = 0;
  #sample: Sample | undefined;
  #lines: [string, string][] = [];
  readonly #registry: Contract["registry"];

  constructor({ registry }: Contract) {
    this.#registry = registry;
  }

  /** Starts a sample. Returns the metadata to send with its call. */
  begin(sample: Sample): Metadata {
    this.#number += 1;
    this.#sample = sample;
    this.#lines = [];
    return new Map([...sample.metadata, [numberName, String(this.#number)]]);
  }

  get heard(): readonly [string, string][] {
    return this.#lines;
  }

  /** The reply, and the recorder of requests of this call: a stream may continue after its caller has the answer. */
  #begun({ metadata, answerMetadata }: CallContext) {
    const [sample, lines] = [this.#sample, this.#lines];
    if (sample === undefined) throw new CallError("INTERNAL", "unexpected call");
    const number = metadata.get(numberName);
    if (number !== undefined && number !== String(this.#number)) throw new CallError("CANCELLED", "an earlier call");
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
