// The descriptor set for the gRPC calls of a plan: the called methods, and the types of their messages. Each virtual user loads it, so the rest of a large
// contract would cost memory and time, and k6 refuses all of it if it contains a MessageSet.
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  DescriptorProtoSchema,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  MessageOptionsSchema,
  ServiceDescriptorProtoSchema,
  type DescriptorProto,
  type EnumDescriptorProto,
  type FileDescriptorProto,
  type ServiceDescriptorProto,
} from "@bufbuild/protobuf/wkt";

/** The file's name in an exported directory. */
export const typesFile = "calls.binpb";

/** Its values may be of any type. */
const anyType = ".google.protobuf.Any";

/** A message or enum. Names are as in fields: `.shop.v1.Thing`. */
interface DeclaredType {
  readonly file: string;
  /** The types of its fields, each once. */
  readonly uses: readonly string[];
  /** A format of proto1. */
  readonly isMessageSet: boolean;
}

type DeclaredTypes = ReadonlyMap<string, DeclaredType>;

function scopeOf({ package: name }: FileDescriptorProto): string {
  return name === "" ? "" : `.${name}`;
}

function declaredTypes(files: readonly FileDescriptorProto[]): DeclaredTypes {
  const types = new Map<string, DeclaredType>();
  const addEnums = (file: string, scope: string, enums: readonly EnumDescriptorProto[]): void => {
    for (const { name } of enums) types.set(`${scope}.${name}`, { file, uses: [], isMessageSet: false });
  };
  const addMessages = (file: string, scope: string, messages: readonly DescriptorProto[]): void => {
    for (const { name, field, nestedType, enumType, options } of messages) {
      const uses = [...new Set(field.map(({ typeName }) => typeName).filter((type) => type !== ""))];
      types.set(`${scope}.${name}`, { file, uses, isMessageSet: options?.messageSetWireFormat === true });
      addMessages(file, `${scope}.${name}`, nestedType);
      addEnums(file, `${scope}.${name}`, enumType);
    }
  };
  for (const file of files) {
    addMessages(file.name, scopeOf(file), file.messageType);
    addEnums(file.name, scopeOf(file), file.enumType);
  }
  return types;
}

/** These types and all that they use, directly or not. */
function withUses(types: DeclaredTypes, first: readonly string[]): Set<string> {
  const found = new Set(first);
  // The set grows while it is read.
  for (const name of found) for (const used of types.get(name)?.uses ?? []) found.add(used);
  return found;
}

/** Where values of any type may occur, all types that k6 accepts. */
function withTypesOfAny(types: DeclaredTypes, called: Set<string>): Set<string> {
  if (!called.has(anyType)) return called;
  const accepted = [...types.keys()].filter((name) =>
    [...withUses(types, [name])].every((used) => types.get(used)?.isMessageSet !== true),
  );
  return new Set([...called, ...accepted]);
}

/** The message with the nested types that are kept; without its fields if only these are. Undefined if nothing is kept. */
function keptMessage(message: DescriptorProto, name: string, kept: ReadonlySet<string>): DescriptorProto | undefined {
  const nestedType = message.nestedType.flatMap((one) => keptMessage(one, `${name}.${one.name}`, kept) ?? []);
  const enumType = message.enumType.filter((one) => kept.has(`${name}.${one.name}`));
  if (kept.has(name)) {
    return Object.assign(create(DescriptorProtoSchema), message, { nestedType, enumType, extension: [] });
  }
  if (nestedType.length + enumType.length === 0) return undefined;
  const { features } = message.options ?? {};
  // Nested types inherit features.
  const options = features === undefined ? {} : { options: create(MessageOptionsSchema, { features }) };
  return create(DescriptorProtoSchema, { name: message.name, nestedType, enumType, ...options });
}

function keptServices(file: FileDescriptorProto, methods: ReadonlySet<string>): readonly ServiceDescriptorProto[] {
  return file.service.flatMap((service) => {
    const path = `${scopeOf(file).slice(1)}${file.package === "" ? "" : "."}${service.name}`;
    const method = service.method.filter(({ name }) => methods.has(`${path}/${name}`));
    return method.length === 0 ? [] : [Object.assign(create(ServiceDescriptorProtoSchema), service, { method })];
  });
}

/** The types that methods and messages use directly. */
function usedIn(services: readonly ServiceDescriptorProto[]): readonly string[] {
  return services.flatMap(({ method }) => method.flatMap(({ inputType, outputType }) => [inputType, outputType]));
}

/**
 * The part of a serialised `FileDescriptorSet` that calls of these methods need.
 * @param methods such as `shop.v1.Shop/GetThing`.
 */
export function calledTypes(image: Uint8Array, methods: ReadonlySet<string>): Uint8Array<ArrayBuffer> {
  const files = fromBinary(FileDescriptorSetSchema, image).file;
  const types = declaredTypes(files);
  const services = new Map(files.map((file) => [file, keptServices(file, methods)]));
  const kept = withTypesOfAny(types, withUses(types, usedIn([...services.values()].flat())));
  const file = files.flatMap((one) => {
    const service = services.get(one) ?? [];
    const messageType = one.messageType.flatMap(
      (message) => keptMessage(message, `${scopeOf(one)}.${message.name}`, kept) ?? [],
    );
    const enumType = one.enumType.filter(({ name }) => kept.has(`${scopeOf(one)}.${name}`));
    if (service.length + messageType.length + enumType.length === 0) return [];
    const own = [...kept].filter((name) => types.get(name)?.file === one.name);
    const used = [...usedIn(service), ...own.flatMap((name) => types.get(name)?.uses ?? [])];
    const imports = new Set(used.flatMap((name) => types.get(name)?.file ?? []));
    imports.delete(one.name);
    const declared = { messageType, enumType, service, extension: [] };
    const imported = { dependency: [...imports], publicDependency: [], weakDependency: [], optionDependency: [] };
    return [Object.assign(create(FileDescriptorProtoSchema), one, declared, imported)];
  });
  return toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file }));
}
