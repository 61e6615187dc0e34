// Splits a large file for protoc-gen-es, whose time grows with the square of the types in one file, and joins the code of the parts.
import { create } from "@bufbuild/protobuf";
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  type SourceCodeInfo,
} from "@bufbuild/protobuf/wkt";

/** What a file declares, in the order of generated code. */
const kinds = ["messageType", "enumType", "service", "extension"] as const;
const nothing = { messageType: [], enumType: [], service: [], extension: [] };

const ending = /\.proto$/;

/** A part of a file, which follows the declarations of those before it. */
export interface FilePart {
  readonly file: FileDescriptorProto;
  /** Declares, in a file of the same code, the types that the part names and does not declare. */
  readonly stubs: FileDescriptorProto;
  /** The index in the file of the part's first declaration. */
  readonly from: number;
}

/** The comments of declarations from this index on, as they are numbered in a part. */
function commentsFrom(info: SourceCodeInfo | undefined, kind: (typeof kinds)[number], from: number, count: number) {
  const numbers = kinds.map((name) => FileDescriptorProtoSchema.field[name].number);
  const own = FileDescriptorProtoSchema.field[kind].number;
  const location = info?.location.flatMap((each) => {
    const [first = 0, index = 0, ...path] = each.path;
    if (!numbers.includes(first)) return each;
    const isInPart = first === own && index >= from && index < from + count;
    return isInPart ? { ...each, path: [first, index - from, ...path] } : [];
  });
  return info && { ...info, location: location ?? [] };
}

function* namedByMessage({ field, extension, nestedType }: DescriptorProto): Generator<string> {
  yield* [...field, ...extension].flatMap(({ typeName, extendee }) => [typeName, extendee]);
  for (const nested of nestedType) yield* namedByMessage(nested);
}

/** The names of types in a part, some of them twice. */
function namedBy({ messageType, service, extension }: FileDescriptorProto): readonly string[] {
  return [
    ...messageType.flatMap((message) => [...namedByMessage(message)]),
    ...service.flatMap(({ method }) => method.flatMap(({ inputType, outputType }) => [inputType, outputType])),
    ...extension.flatMap(({ typeName, extendee }) => [typeName, extendee]),
  ];
}

/** The message without what it declares, and those of its types that have these names. */
function stubOf(message: DescriptorProto, name: string, names: ReadonlySet<string>): readonly DescriptorProto[] {
  const nestedType = message.nestedType.flatMap((nested) => stubOf(nested, `${name}.${nested.name}`, names));
  const enumType = message.enumType.filter((nested) => names.has(`${name}.${nested.name}`));
  if (!names.has(name) && nestedType.length + enumType.length === 0) return [];
  return [create(DescriptorProtoSchema, { name: message.name, nestedType, enumType })];
}

/**
 * The parts of a file, whose name ends with `.proto`.
 * @param partSize the most declarations of a part: few, because each name in its code takes time that grows with their number
 */
export function partsOf(whole: FileDescriptorProto, partSize = 25): readonly FilePart[] {
  const prefix = whole.package === "" ? "" : `${whole.package}.`;
  const messages = new Map(whole.messageType.map((message) => [message.name, message]));
  const enums = new Map(whole.enumType.map((type) => [type.name, type]));
  const slices = kinds.flatMap((kind) =>
    Array.from({ length: Math.ceil(whole[kind].length / partSize) }, (_, index) => ({ kind, from: index * partSize })),
  );
  return slices.map(({ kind, from }, index) => {
    // The first has the name of the whole, for the head of its code.
    const name = index === 0 ? whole.name : whole.name.replace(ending, `.part${index}.proto`);
    const file: FileDescriptorProto = {
      ...whole,
      ...nothing,
      name,
      [kind]: whole[kind].slice(from, from + partSize),
      sourceCodeInfo: commentsFrom(whole.sourceCodeInfo, kind, from, partSize),
    };
    const own = new Set([...file.messageType, ...file.enumType].map((type) => type.name));
    const names = namedBy(file).map((typeName) => typeName.replace(/^\./, ""));
    const inFile = names
      .filter((typeName) => typeName.startsWith(prefix))
      .map((typeName) => typeName.slice(prefix.length));
    const wanted = new Set(inFile);
    const roots = [...new Set(inFile.map((typeName) => typeName.split(".")[0] ?? ""))].filter((root) => !own.has(root));
    const stubs: FileDescriptorProto = {
      ...whole,
      ...nothing,
      // The generator leaves the ending out: it takes the code of both files for one.
      name: name.replace(ending, ""),
      dependency: [],
      publicDependency: [],
      weakDependency: [],
      optionDependency: [],
      messageType: roots
        .flatMap((root) => messages.get(root) ?? [])
        .flatMap((message) => stubOf(message, message.name, wanted)),
      enumType: roots.flatMap((root) => enums.get(root) ?? []),
      sourceCodeInfo: undefined,
    };
    return { file, stubs, from };
  });
}

function* codeNames(message: DescriptorProto, name: string): Generator<string> {
  yield* [name, `${name}Schema`];
  for (const nested of message.enumType) yield* [`${name}_${nested.name}`, `${name}_${nested.name}Schema`];
  for (const { name: extension } of message.extension) yield `${name}_${extension}`;
  for (const nested of message.nestedType) {
    if (nested.options?.mapEntry !== true) yield* codeNames(nested, `${name}_${nested.name}`);
  }
}

/** The names in the code of the file; undefined if two would be equal, which the generator can only tell apart in a whole file. */
export function distinctNamesOf(file: FileDescriptorProto): ReadonlySet<string> | undefined {
  const names = [
    ...file.messageType.flatMap((message) => [...codeNames(message, message.name)]),
    ...file.enumType.flatMap(({ name }) => [name, `${name}Schema`]),
    ...[...file.service, ...file.extension].map(({ name }) => name),
  ];
  const distinct = new Set(names);
  return distinct.size < names.length || names.some((name) => name.startsWith("file_")) ? undefined : distinct;
}

const importLine = /^import (type )?\{ (.+) \} from (".+");\n/gm;
const importBlock = /(?:^import .+\n)+/m;
const fileStatement = /^export (?:declare )?const (file_\w+)[^;]*;\n\n/m;

function importOf(start: string, names: readonly string[], source: string): string {
  const list = names.toSorted((a, b) => a.localeCompare(b)).join(", ");
  return list === "" ? "" : `${start} { ${list} } from ${source};\n`;
}

/** The imports of all texts as one block. Undefined if a name is imported from two sources, or is one of these. */
function joinedImports(heads: readonly string[], names: ReadonlySet<string>): string | undefined {
  const sources = new Map<string, { types: Set<string>; values: Set<string> }>();
  const from = new Map<string, string>();
  for (const [, type, list = "", source = ""] of heads.flatMap((head) => [...head.matchAll(importLine)])) {
    const { types, values } = sources.get(source) ?? { types: new Set(), values: new Set() };
    sources.set(source, { types, values });
    for (const name of list.split(", ")) {
      if (name.includes(" ") || names.has(name) || (from.get(name) ?? source) !== source) return undefined;
      from.set(name, source);
      (type === undefined ? values : types).add(name);
    }
  }
  return [...sources]
    .map(
      ([source, { types, values }]) =>
        importOf(
          "import type",
          [...types].filter((name) => !values.has(name)),
          source,
        ) + importOf("import", [...values], source),
    )
    .join("");
}

/**
 * The code of a file from that of its parts: what the generator writes for the whole file.
 * @param codes of the parts, in their order
 * @param names in the code of the file, from {@link distinctNamesOf}
 * @returns undefined if names in the code would be ambiguous
 */
export function joinedCode(
  parts: readonly FilePart[],
  codes: readonly string[],
  names: ReadonlySet<string>,
): string | undefined {
  const cut = codes.map((code) => {
    const { index, 0: statement, 1: name } = fileStatement.exec(code) ?? { index: 0, 0: "", 1: "" };
    return { head: code.slice(0, index), statement, name, body: code.slice(index + statement.length) };
  });
  const imports = joinedImports(
    cut.map(({ head }) => head),
    names,
  );
  const [first] = cut;
  if (imports === undefined || first === undefined) return undefined;
  const bodies = cut.map(({ body, name }, part) =>
    body.replaceAll(
      new RegExp(String.raw`^( {2}\w+Desc\()${name}, (\d+)`, "gm"),
      (_, call: string, index: string) => `${call}${first.name}, ${Number(index) + (parts[part]?.from ?? 0)}`,
    ),
  );
  return [first.head.replace(importBlock, () => imports), first.statement, ...bodies].join("");
}
