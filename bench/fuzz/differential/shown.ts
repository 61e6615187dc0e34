// Prints a failing case: the contract in protobuf language, the request and the reply as lines.
import { getExtension, hasExtension, isFieldSet } from "@bufbuild/protobuf";
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FieldDescriptorProtoSchema,
  type DescriptorProto,
  type FieldDescriptorProto,
  type FileDescriptorProto,
  type MethodDescriptorProto,
} from "@bufbuild/protobuf/wkt";
import type { Contract } from "@roundtrip/contract";
import { http } from "@roundtrip/contract/gen/google/api/annotations_pb";
import { messageLines } from "./message-lines.ts";
import { metadataLines } from "./metadata-lines.ts";
import type { Sample } from "./sample.ts";

function typeOf({ type, typeName }: FieldDescriptorProto): string {
  return typeName === "" ? (Type[type]?.toLowerCase() ?? "") : typeName.replace(/^\.(made\.up\.v1\.)?/, "");
}

function fieldLine(field: FieldDescriptorProto, { nestedType, oneofDecl }: DescriptorProto): string {
  const entry = nestedType.find(({ name }) => field.typeName.endsWith(`.${name}`));
  const [key, value] = entry?.field ?? [];
  if (key !== undefined && value !== undefined) {
    return `  map<${typeOf(key)}, ${typeOf(value)}> ${field.name} = ${field.number};`;
  }
  const { oneofIndex, proto3Optional, label } = field;
  const isMember = isFieldSet(field, FieldDescriptorProtoSchema.field.oneofIndex) && !proto3Optional;
  const oneof = !isMember ? "" : `  // of oneof ${oneofDecl[oneofIndex]?.name ?? ""}`;
  const prefix = proto3Optional ? "optional " : label === Label.REPEATED ? "repeated " : "";
  return `  ${prefix}${typeOf(field)} ${field.name} = ${field.number};${oneof}`;
}

function methodLines(method: MethodDescriptorProto): string[] {
  const { name, inputType, outputType, options, clientStreaming, serverStreaming } = method;
  const rule = options !== undefined && hasExtension(options, http) ? getExtension(options, http) : undefined;
  const { case: verb, value: path } = rule?.pattern ?? {};
  const binding =
    rule === undefined
      ? ""
      : `  // ${verb}: "${typeof path === "string" ? path : ""}" body: "${rule.body}" response_body: "${rule.responseBody}"`;
  const [input, output] = [inputType, outputType].map((type) => type.replace(".made.up.v1.", ""));
  const [takes, gives] = [clientStreaming, serverStreaming].map((streams) => (streams ? "stream " : ""));
  return [`  rpc ${name}(${takes}${input}) returns (${gives}${output});${binding}`];
}

/** The file in protobuf language, limited to the features of generated contracts. */
export function shownContract({ enumType, messageType, service }: FileDescriptorProto): string {
  const enums = enumType.map(
    ({ name, value }) => `enum ${name} { ${value.map((one) => `${one.name} = ${one.number};`).join(" ")} }`,
  );
  const messages = messageType.map(
    (message) => `message ${message.name} {\n${message.field.map((field) => fieldLine(field, message)).join("\n")}\n}`,
  );
  const services = service.map(({ name, method }) => `service ${name} {\n${method.flatMap(methodLines).join("\n")}\n}`);
  return [...enums, ...messages, ...services].join("\n");
}

/** The operation with its HTTP binding, the requests, and the reply of the handler. */
export function shownSample({ operation, requests, metadata, reply }: Sample, { registry }: Contract): string {
  const { id, input, output, kind } = operation;
  const { method, path, body, responseBody } = operation.bindings[0];
  const { reads, answers, error } = reply;
  const lines: [string, string][] = [
    ...metadataLines("metadata", metadata),
    ...requests.flatMap((request, index) => [...messageLines(`request[${index}]`, input, request, registry)]),
    ...metadataLines("reply.metadata", reply.metadata),
    ...answers.flatMap((answer, index) => [...messageLines(`reply[${index}]`, output, answer, registry)]),
  ];
  if (kind === "client_streaming" || kind === "bidi_streaming") lines.push(["reads", String(reads)]);
  if (error !== undefined)
    lines.push(["error", `${error.code} ${JSON.stringify(error.message)} ${JSON.stringify(error.details)}`]);
  return [
    `${id} ${kind} (${method} ${path.source} body: "${body}" response_body: "${responseBody}")`,
    ...lines.map(([name, value]) => `  ${name} = ${value}`),
  ].join("\n");
}
