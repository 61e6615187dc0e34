// The conformance contract with handlers of a test's own, and its streams called through a client.
import { create, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import type { DescMethod, Message } from "@bufbuild/protobuf";
import { handlersOf, type CallOptions, type Client, type Methods, type Service } from "@roundtrip/contract";
import { conformanceContract } from "@roundtrip/conformance";
import { ConformanceService } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { serviceOf } from "@roundtrip/contract/service";

const conformance = conformanceContract();

export const { download, upload, converse, echo } = ConformanceService.method;

/** Operations without a method answer UNIMPLEMENTED. */
export function conformanceService(methods: Partial<Methods<typeof ConformanceService>>): Service {
  const some = methods as Methods<typeof ConformanceService>;
  return serviceOf(conformance, handlersOf(ConformanceService, some));
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
  const operation = conformance.operation(`${method.parent.typeName}.${method.name}`);
  return client.prepareStream(operation)(messages(), options) as AsyncIterable<MessageShape<M["output"]>>;
}

/** Every value of a stream. */
export async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const value of values) read.push(value);
  return read;
}
