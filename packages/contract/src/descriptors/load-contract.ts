// Turns a compiled descriptor set into a contract.
import {
  createFileRegistry,
  fromBinary,
  type DescField,
  type DescMessage,
  type DescMethod,
  create,
  toBinary,
  type DescFile,
  type DescService,
} from "@bufbuild/protobuf";
import {
  FieldMaskSchema,
  FileDescriptorSetSchema,
  MethodOptions_IdempotencyLevel as Level,
  FileDescriptorProtoSchema,
  MessageOptionsSchema,
} from "@bufbuild/protobuf/wkt";
import { readFileSync } from "node:fs";
import { typesIn } from "./components.ts";
import { CallError } from "../basics/call-error.ts";
import type { Contract, Operation, SideEffects } from "./contract.ts";
import { distinctBindings } from "./http-binding.ts";
import { withDistinctJsonNames, withDistinctLocalNames } from "./field-names.ts";
import { keepComments, optionPosition, splitComments } from "./source-info.ts";
import { withOlderRules } from "./protoc-gen-validate.ts";

/** Adds a file behind those that it imports. */
function gather(file: DescFile, into: Set<DescFile>): void {
  if (into.has(file)) return;
  for (const imported of file.dependencies) gather(imported, into);
  into.add(file);
}

/**
 * A contract of exactly these generated services. It has no comments, because generated descriptors have none.
 */
export function contractOfServices(...services: readonly [DescService, ...DescService[]]): Contract {
  const files = new Set<DescFile>();
  for (const { file } of services) gather(file, files);
  const wanted = new Set(services.map(({ typeName }) => typeName));
  const protos = [...files].map(({ proto }) =>
    create(FileDescriptorProtoSchema, {
      ...proto,
      service: proto.service.filter(({ name }) => wanted.has(proto.package === "" ? name : `${proto.package}.${name}`)),
    }),
  );
  return contractFromImage(toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: protos })));
}

/** The side effects that an HTTP method implies (RFC 9110, section 9.2), for methods without `idempotency_level`. */
const byHttpMethod: Readonly<Record<string, SideEffects>> = {
  GET: "none",
  HEAD: "none",
  PUT: "idempotent",
  DELETE: "idempotent",
};

function sideEffectsOf(method: DescMethod, [main]: Operation["bindings"]): SideEffects {
  if (method.idempotency === Level.NO_SIDE_EFFECTS) return "none";
  if (method.idempotency === Level.IDEMPOTENT) return "idempotent";
  return byHttpMethod[main.method] ?? "unknown";
}

/** Throws an Error for a message in the wire format of message sets, which libraries of today neither read nor write. */
function refuseMessageSets(messages: ReadonlySet<DescMessage>): void {
  for (const message of messages) {
    if (message.proto.options?.messageSetWireFormat !== true) continue;
    const position = optionPosition(message, MessageOptionsSchema.field.messageSetWireFormat.number);
    throw new Error(
      `${position}${message.typeName} has message_set_wire_format, which is not supported: remove the option, and its extensions are ordinary ones`,
    );
  }
}

function isReadMask({ name, message }: DescField): boolean {
  return name === "read_mask" && message?.typeName === FieldMaskSchema.typeName;
}

/** A field of this name is a field like any other if answers have it too. */
function readMaskOf({ input }: DescMethod, answers: ReadonlySet<DescMessage>): DescField | undefined {
  return answers.has(input) ? undefined : input.fields.find(isReadMask);
}

function operationOf(
  method: DescMethod,
  bindings: Operation["bindings"],
  answers: ReadonlySet<DescMessage>,
): Operation {
  return {
    id: `${method.parent.typeName}.${method.name}`,
    method,
    input: method.input,
    output: method.output,
    kind: method.methodKind,
    sideEffects: sideEffectsOf(method, bindings),
    bindings,
    readMask: readMaskOf(method, answers),
  };
}

/** Reads a contract from a serialised `google.protobuf.FileDescriptorSet` (what `buf build` and `protoc -o` write). */
export function contractFromImage(image: Uint8Array): Contract {
  const { bare, comments } = splitComments(image);
  const set = withDistinctJsonNames(withOlderRules(fromBinary(FileDescriptorSetSchema, bare)));
  const registry = withDistinctLocalNames(createFileRegistry(set));
  keepComments(registry.files, comments);
  const methods = set.file.flatMap(
    ({ name }) => registry.getFile(name)?.services.flatMap((service) => service.methods) ?? [],
  );
  const bindings = distinctBindings(methods);
  const answers = typesIn(methods.map(({ output }) => output));
  refuseMessageSets(typesIn(methods.flatMap(({ input, output }) => [input, output])));
  const operations = methods.map((method) => operationOf(method, bindings(method), answers));
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  return {
    operations,
    registry,
    operation(id) {
      const operation = byId.get(id);
      if (operation === undefined) throw new CallError("UNIMPLEMENTED", `the contract has no operation ${id}`);
      return operation;
    },
  };
}

/** The built-in contract, compiled from `proto/`, as a serialised descriptor set. */
export function builtInImage(): Uint8Array {
  return readFileSync(new URL("../gen/roundtrip.binpb", import.meta.url));
}

export function builtInContract(): Contract {
  return contractFromImage(builtInImage());
}
