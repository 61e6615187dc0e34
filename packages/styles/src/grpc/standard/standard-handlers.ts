// Answers health checks and server reflection that a contract itself declares, such as copies of grpc.health.v1 among its files.
import { fromBinary, toBinary, type DescMessage, type DescService, type Message } from "@bufbuild/protobuf";
import {
  CallError,
  conversion,
  handlersOf,
  mapped,
  type Contract,
  type Conversion,
  type Handler,
  type Operation,
  type StreamHandler,
} from "@roundtrip/contract";
import { Health } from "@roundtrip/contract/gen/grpc/health/v1/health_pb";
import { ServerReflection } from "@roundtrip/contract/gen/grpc/reflection/v1/reflection_pb";
import { healthMethods } from "./standard-answers.ts";
import { reflectionMethods } from "./reflection.ts";

/** The standard services under all their names: the older name of reflection has the same messages. */
const standard: Readonly<Record<string, DescService>> = {
  [Health.typeName]: Health,
  [ServerReflection.typeName]: ServerReflection,
  "grpc.reflection.v1alpha.ServerReflection": ServerReflection,
};

/** Converts a message to the same type elsewhere, or to one with the same fields under another name. */
function converting(from: DescMessage, to: DescMessage): Conversion {
  if (from.typeName === to.typeName) return conversion(from, to);
  return (message) => fromBinary(to, toBinary(from, message));
}

/** A handler of the standard service as one of the contract's own operation. */
function converted(
  { input, output, kind }: Operation,
  { input: standardInput, output: standardOutput }: Pick<Operation, "input" | "output">,
  handler: Handler | StreamHandler,
): Handler | StreamHandler {
  const ask = converting(input, standardInput);
  const answer = converting(standardOutput, output);
  if (kind === "unary") {
    const unary: Handler = async (request, call) => answer(await (handler as Handler)(ask(request), call));
    return unary;
  }
  const stream: StreamHandler = (requests: AsyncIterable<Message>, call) =>
    mapped((handler as StreamHandler)(mapped(requests, ask), call), answer);
  return stream;
}

/** The handler of one operation of a standard service. Throws UNIMPLEMENTED for a method that the implementation does not have. */
export function standardHandler(contract: Contract, operation: Operation): Handler | StreamHandler {
  const { name, parent } = operation.method;
  const service = standard[parent.typeName];
  const method = service?.methods.find((one) => one.name === name);
  // What is made from a contract alone does not know when its server stops.
  const { signal } = new AbortController();
  const handlers = new Map([
    ...handlersOf(Health, healthMethods(contract, signal)),
    ...handlersOf(ServerReflection, reflectionMethods([contract])),
  ]);
  const handler = handlers.get(`${service?.typeName ?? ""}.${name}`);
  if (method === undefined || handler === undefined)
    throw new CallError("UNIMPLEMENTED", `${operation.id} is not implemented`);
  return converted(operation, method, handler);
}
