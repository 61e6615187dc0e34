// A service of the conformance contract whose streams a test decides, and what it needs to look at streams from outside.
import { create, type Message, type MessageInitShape } from "@bufbuild/protobuf";
import type { CallOptions, Client, Service } from "@roundtrip/contract";
import { conformanceContract } from "@roundtrip/conformance";
import {
  DownloadRequestSchema,
  DownloadResponseSchema,
  UploadRequestSchema,
  type DownloadResponse,
  type UploadResponse,
} from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { serviceOf } from "@roundtrip/contract/service";
import { handlersOf, type Methods } from "@roundtrip/contract";
import { ConformanceService } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";

const conformance = conformanceContract();

type ConformanceMethods = Methods<typeof ConformanceService>;

/** A service of these methods alone. */
export function conformanceService(methods: Partial<ConformanceMethods>): Service {
  return serviceOf(conformance, handlersOf(ConformanceService, methods as ConformanceMethods));
}

/** Operation by its name. */
export function operationNamed(name: string) {
  return conformance.operation(`roundtrip.conformance.v1.ConformanceService.${name}`);
}

export function item(init: MessageInitShape<typeof DownloadResponseSchema>): DownloadResponse {
  return create(DownloadResponseSchema, init);
}

/** Calls Download. */
export function download(
  client: Client,
  init: MessageInitShape<typeof DownloadRequestSchema>,
  options: CallOptions = {},
): AsyncIterable<DownloadResponse> {
  const invoke = client.prepareStream(operationNamed("Download"));
  return invoke([create(DownloadRequestSchema, init)], options) as AsyncIterable<DownloadResponse>;
}

/** Calls Upload and resolves to its only answer. */
export async function upload(
  client: Client,
  requests:
    | AsyncIterable<MessageInitShape<typeof UploadRequestSchema>>
    | Iterable<MessageInitShape<typeof UploadRequestSchema>>,
  options: CallOptions = {},
): Promise<UploadResponse> {
  async function* messages(): AsyncGenerator<Message> {
    for await (const request of requests) yield create(UploadRequestSchema, request);
  }
  const answers: Message[] = [];
  for await (const answer of client.prepareStream(operationNamed("Upload"))(messages(), options)) answers.push(answer);
  if (answers.length !== 1) throw new Error(`${answers.length} answers`);
  return answers[0] as UploadResponse;
}
