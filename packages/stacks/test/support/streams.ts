// A service of the conformance contract whose methods a test decides, and its streams called through a client.
import { create, type DescMethod, type Message, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import { conformanceContract } from "@roundtrip/conformance";
import {
  ConformanceService,
  DownloadResponseSchema,
  type DownloadRequestSchema,
  type DownloadResponse,
  type UploadRequestSchema,
  type UploadResponse,
} from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { handlersOf, type CallOptions, type Client, type Methods, type Service } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";

const conformance = conformanceContract();

export const methods = ConformanceService.method;

/** Operations without a method answer UNIMPLEMENTED. */
export function conformanceService(some: Partial<Methods<typeof ConformanceService>>): Service {
  return serviceOf(conformance, handlersOf(ConformanceService, some as Methods<typeof ConformanceService>));
}

/** Operation by its name. */
export function operationNamed(name: string) {
  return conformance.operation(`${ConformanceService.typeName}.${name}`);
}

type Inits<M extends DescMethod> = AsyncIterable<MessageInitShape<M["input"]>> | Iterable<MessageInitShape<M["input"]>>;

/** The answers of an operation that streams, as its generated type has them. */
export function streamed<M extends DescMethod>(
  client: Client,
  method: M,
  requests: Inits<M>,
  options?: CallOptions,
): AsyncIterable<MessageShape<M["output"]>> {
  async function* messages(): AsyncGenerator<Message> {
    for await (const request of requests) yield create(method.input, request);
  }
  return client.prepareStream(operationNamed(method.name))(messages(), options) as AsyncIterable<
    MessageShape<M["output"]>
  >;
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
  return streamed(client, methods.download, [init], options);
}

/** Calls Upload and resolves to its only answer. */
export async function upload(
  client: Client,
  requests: Inits<{ input: typeof UploadRequestSchema } & DescMethod>,
  options: CallOptions = {},
): Promise<UploadResponse> {
  const answers = await Array.fromAsync(streamed(client, methods.upload, requests, options));
  if (answers.length !== 1) throw new Error(`${answers.length} answers`);
  return answers[0] as UploadResponse;
}
