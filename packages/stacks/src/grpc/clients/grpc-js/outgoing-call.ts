// What calls of every kind send beside their messages, and get beside the answers.
import * as grpc from "@grpc/grpc-js";
import { endlessMs, type CallOptions } from "@roundtrip/contract";
import { answerMetadataOf, grpcMetadataOf } from "../../grpc-js/metadata.ts";

const noMetadata = new grpc.Metadata();
const noOptions: grpc.CallOptions = {};

/** Throws INVALID_ARGUMENT for metadata that not every style could carry. */
export function metadataToSend({ metadata }: CallOptions): grpc.Metadata {
  return metadata === undefined ? noMetadata : grpcMetadataOf(metadata);
}

export function grpcOptionsOf({ timeoutMs }: CallOptions): grpc.CallOptions {
  return timeoutMs !== undefined && timeoutMs < endlessMs ? { deadline: Date.now() + timeoutMs } : noOptions;
}

/** Gives `onMetadata` what comes first: the answer's metadata or, when there is no answer, that of the server's error. */
export class AnswerMetadata {
  #onMetadata: CallOptions["onMetadata"];

  constructor({ onMetadata }: CallOptions) {
    this.#onMetadata = onMetadata;
  }

  take(metadata: grpc.Metadata): void {
    this.#onMetadata?.(answerMetadataOf(metadata));
    this.#onMetadata = undefined;
  }

  /** An error that grpc-js made up itself, without a server, has no metadata at all; a server's has its content type at least. */
  takeError({ metadata }: grpc.ServiceError): void {
    if (this.#onMetadata !== undefined && Object.keys(metadata.toJSON()).length > 0) this.take(metadata);
  }
}
