// Calls of a service without a stack, in ProtoJSON.
import { fromJson, toJson, type JsonValue } from "@bufbuild/protobuf";
import { CallError, ServerCall, type Contract, type Handlers, type Service } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { Readable } from "node:stream";

/** The outcome of a call: its answer, or `CODE: message`. */
export type Outcome = JsonValue;

function failure(thrown: unknown): string {
  if (thrown instanceof CallError) return `${thrown.code}: ${thrown.message}`;
  throw thrown;
}

export async function call(
  service: Service,
  name: string,
  request: JsonValue = {},
  serverCall: ServerCall = new ServerCall(),
): Promise<Outcome> {
  const operation = service.contract.operation(name);
  const { registry } = service.contract;
  try {
    const message = fromJson(operation.input, request, { registry });
    return toJson(operation.output, await service.call(operation, message, serverCall), { registry });
  } catch (thrown) {
    return failure(thrown);
  }
}

/** The answers of a stream, and the error after them if it failed. */
export async function stream(service: Service, name: string, requests: readonly JsonValue[]): Promise<Outcome[]> {
  const operation = service.contract.operation(name);
  const { registry } = service.contract;
  const outcomes: Outcome[] = [];
  try {
    const messages = Readable.from(requests.map((request) => fromJson(operation.input, request, { registry })));
    for await (const answer of service.stream(operation, messages, new ServerCall())) {
      outcomes.push(toJson(operation.output, answer, { registry }));
    }
  } catch (thrown) {
    outcomes.push(failure(thrown));
  }
  return outcomes;
}

/** A service with only these handlers. */
export function serviceBehind(contract: Contract, handlers: Handlers = new Map()): Service {
  return serviceOf(contract, handlers);
}
