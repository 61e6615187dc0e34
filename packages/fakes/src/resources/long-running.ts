// Methods that start a long-running operation (AIP-151): they return a google.longrunning.Operation, which ends with the message that the method's
// `google.longrunning.operation_info` names.
import type { DescFile, DescMessage, DescMethod, Registry } from "@bufbuild/protobuf";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import type { Contract, Operation } from "@roundtrip/contract";
import { nounAfter, soleMessageField } from "@roundtrip/contract/resources";

/** The number of `google.longrunning.operation_info` on methods. */
const infoOption = 1049;

const operationType = "google.longrunning.Operation";
const operationsService = "google.longrunning.Operations";

/** A method that starts an operation. */
export interface LongRunning {
  /** The same method as if it answered at once with what the operation ends with. */
  readonly work: Operation;
  /** The type of the operation's metadata; undefined if the contract names none. */
  readonly metadata: DescMessage | undefined;
}

/** Both names of `google.longrunning.OperationInfo`. */
interface OperationInfo {
  responseType: string;
  metadataType: string;
}

function infoOf({ proto }: DescMethod): OperationInfo | undefined {
  const option = proto.options?.$unknown?.findLast(({ no }) => no === infoOption);
  if (option === undefined) return undefined;
  const info: OperationInfo = { responseType: "", metadataType: "" };
  const reader = new BinaryReader(new BinaryReader(option.data).bytes());
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (number === 1) info.responseType = reader.string();
    else if (number === 2) info.metadataType = reader.string();
    else reader.skip(wireType, number);
  }
  return info;
}

/** A message by its full name, or by its name in the package of the file. */
function messageNamed(registry: Registry, { proto }: DescFile, name: string): DescMessage | undefined {
  return registry.getMessage(name) ?? registry.getMessage(`${proto.package}.${name}`);
}

/** What an operation without a declared response ends with: the resource that it writes, if it is certain, or nothing. */
function likelyResponse({ method, input }: Operation): DescMessage {
  const noun = nounAfter("create", method.name) ?? nounAfter("update", method.name);
  const taken = soleMessageField(input, "message")?.message;
  return noun !== undefined && taken?.name === noun ? taken : EmptySchema;
}

/** Whether a method returns an operation that another one has started: to read it, or to wait for it. */
export function isPolling({ method, output, kind }: Operation): boolean {
  if (kind !== "unary" || output.typeName !== operationType) return false;
  const isRead = /^(?:Get|Wait|Poll|Describe)\w*Operation$/.test(method.name);
  return method.parent.typeName === operationsService || (isRead && infoOf(method) === undefined);
}

/** Whether a method is one of the standard service of operations, such as `CancelOperation`. */
export function isOfOperations({ method }: Operation): boolean {
  return method.parent.typeName === operationsService;
}

/** Undefined for a method that starts no operation. */
export function longRunning({ registry }: Contract, operation: Operation): LongRunning | undefined {
  const { output, kind, method } = operation;
  if (kind !== "unary" || output.typeName !== operationType || isPolling(operation)) return undefined;
  const info = infoOf(method);
  const { file } = method.parent;
  const response = info === undefined ? undefined : messageNamed(registry, file, info.responseType);
  return {
    work: { ...operation, output: response ?? likelyResponse(operation) },
    metadata: info === undefined ? undefined : messageNamed(registry, file, info.metadataType),
  };
}

/** The contract with methods that answer at once, for what looks at the types of answers. */
export function contractOfWork(contract: Contract): Contract {
  const operations = contract.operations
    .filter((operation) => !isOfOperations(operation) && !isPolling(operation))
    .map((operation) => longRunning(contract, operation)?.work ?? operation);
  if (
    operations.length === contract.operations.length &&
    operations.every((operation, at) => operation === contract.operations[at])
  )
    return contract;
  return { ...contract, operations };
}
