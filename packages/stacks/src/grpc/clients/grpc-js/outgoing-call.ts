// Metadata of calls of every kind: what they send and receive.
import * as grpc from "@grpc/grpc-js";
import { endlessMs, type CallOptions } from "@roundtrip/contract";
import { answerMetadataOf, grpcMetadataOf } from "../../grpc-js/metadata.ts";

const noMetadata = new grpc.Metadata();
const noOptions = {};

/** Throws INVALID_ARGUMENT for metadata that some style cannot carry. */
export function metadataToSend({ metadata }: CallOptions): grpc.Metadata {
  return metadata === undefined ? noMetadata : grpcMetadataOf(metadata);
}

type TimedOptions = grpc.CallOptions & {
  /** Milliseconds since 1970. */
  readonly deadline?: number;
};

export function grpcOptionsOf({ timeoutMs }: CallOptions): TimedOptions {
  return timeoutMs !== undefined && timeoutMs < endlessMs ? { deadline: Date.now() + timeoutMs } : noOptions;
}

/** Calls `onMetadata` once: with the metadata of the answer or, without an answer, of the server's error. */
export class AnswerMetadata {
  #onMetadata: CallOptions["onMetadata"];

  constructor({ onMetadata }: CallOptions) {
    this.#onMetadata = onMetadata;
  }

  take(metadata: grpc.Metadata): void {
    this.#onMetadata?.(answerMetadataOf(metadata));
    this.#onMetadata = undefined;
  }

  /** A server's error has at least a content type; an error of grpc-js itself has no metadata. */
  takeError({ metadata }: grpc.ServiceError): void {
    if (this.#onMetadata !== undefined && Object.keys(metadata.toJSON()).length > 0) this.take(metadata);
  }
}
