// The texts of calls and answers: what is compared, and what is printed of a difference.
import {
  type DescField,
  type DescMessage,
  type Message,
  type Registry,
  ScalarType,
  getExtension,
  hasExtension,
  isFieldSet,
} from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import {
  type Any,
  type DescriptorProto,
  type FieldDescriptorProto,
  FieldDescriptorProtoSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  type FileDescriptorProto,
  type MethodDescriptorProto,
  anyUnpack,
} from "@bufbuild/protobuf/wkt";
import { type Contract, type Metadata, binaryMetadata } from "@roundtrip/contract";
import { http } from "@roundtrip/contract/gen/google/api/annotations_pb";
import type { Sample } from "./sample.ts";

/** The lines of these names, or of all. Other metadata that a style adds is ignored. */
export function metadataLines(path: string, metadata: Metadata, names = [...metadata.keys()]): [string, string][] {
  return names.flatMap((name): [string, string][] => {
    const value = metadata.get(name);
    if (value === undefined) return [];
    const shown = name.endsWith("-bin")
      ? `0x${Buffer.from(binaryMetadata.decode(value)).toString("hex")}`
      : JSON.stringify(value);
    return [[`${path}[${name}]`, shown]];
  });
}

/** The lines of a message by position, in the order of its fields or of the keys of a map. */
export type MessageLines = ReadonlyMap<string, string>;

function textOf(value: unknown, scalar: ScalarType | undefined): string {
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString("hex")}`;
  // Makes non-ASCII characters visible in a difference.
  if (scalar === ScalarType.STRING)
    return JSON.stringify(value).replaceAll(/[^ -~]/g, (unit) => `\\u${(unit.codePointAt(0) ?? 0).toString(16)}`);
  return String(value);
}

class Lines {
  readonly lines = new Map<string, string>();
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  #one(path: string, field: DescField, value: unknown): void {
    if (field.message === undefined) this.lines.set(path, textOf(value, field.scalar));
    else this.message(path, value as ReflectMessage);
  }

  message(path: string, reflected: ReflectMessage): void {
    // An empty message differs from an absent one.
    this.lines.set(path, `${reflected.desc.name} {}`);
    if (reflected.desc.typeName === "google.protobuf.Any") {
      const any = reflected.message as Any;
      const desc = any.typeUrl === "" ? undefined : this.#registry.getMessage(any.typeUrl.split("/").at(-1) ?? "");
      const packed = desc === undefined ? undefined : anyUnpack(any, desc);
      if (desc !== undefined && packed !== undefined) {
        this.lines.set(`${path}.@type`, any.typeUrl);
        this.message(`${path}.packed`, reflect(desc, packed));
        return;
      }
    }
    for (const field of reflected.sortedFields) {
      if (!reflected.isSet(field)) continue;
      const inner = `${path}.${field.name}`;
      if (field.fieldKind === "list") {
        for (const [index, item] of [...reflected.get(field)].entries()) {
          this.#one(`${inner}[${index}]`, field, item);
        }
      } else if (field.fieldKind === "map") {
        const entries = [...reflected.get(field)].map(([key, item]) => [textOf(key, field.mapKey), item] as const);
        for (const [key, item] of entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
          this.#one(`${inner}[${key}]`, field, item);
      } else this.#one(inner, field, reflected.get(field));
    }
    const unknown = reflected.getUnknown() ?? [];
    if (unknown.length > 0) this.lines.set(`${path}.(unknown)`, unknown.map(({ no }) => String(no)).join());
  }
}

/** @param name the name of the message in the lines. */
export function messageLines(name: string, desc: DescMessage, message: Message, registry: Registry): MessageLines {
  const lines = new Lines(registry);
  lines.message(name, reflect(desc, message));
  return lines.lines;
}

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
