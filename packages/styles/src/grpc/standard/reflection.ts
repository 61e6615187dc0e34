// gRPC server reflection, for tools without descriptors: https://github.com/grpc/grpc/blob/master/doc/server-reflection.md
import { create, toBinary, type DescFile, type MessageInitShape } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { CallError, canonicalCodes, type Contract, type Methods, memoize } from "@roundtrip/contract";
import {
  ServerReflectionResponseSchema,
  type ExtensionRequest,
  type ServerReflection,
  type ServerReflectionRequest,
} from "@roundtrip/contract/gen/grpc/reflection/v1/reflection_pb";

type Answer = NonNullable<MessageInitShape<typeof ServerReflectionResponseSchema>["messageResponse"]>;

function notFound(what: string): CallError {
  return new CallError("NOT_FOUND", `there is no ${what}`);
}

/** The first result among several contracts. */
function found<T>(contracts: readonly Contract[], what: string, find: (contract: Contract) => T | undefined): T {
  for (const contract of contracts) {
    const value = find(contract);
    if (value !== undefined) return value;
  }
  throw notFound(what);
}

/** The file of a type, extension, service, or method as `service.method`. */
function fileOfSymbol({ registry }: Contract, symbol: string): DescFile | undefined {
  const desc = registry.get(symbol);
  if (desc !== undefined) return desc.file;
  const dot = symbol.lastIndexOf(".");
  const service = registry.getService(symbol.slice(0, dot));
  return service?.methods.some(({ name }) => name === symbol.slice(dot + 1)) === true ? service.file : undefined;
}

function fileOfExtension({ registry }: Contract, { containingType, extensionNumber }: ExtensionRequest) {
  const message = registry.getMessage(containingType);
  return message && registry.getExtensionFor(message, extensionNumber)?.file;
}

function extensionNumbers({ registry }: Contract, typeName: string): readonly number[] | undefined {
  if (registry.getMessage(typeName) === undefined) return undefined;
  return [...registry]
    .filter((desc) => desc.kind === "extension")
    .filter(({ extendee }) => extendee.typeName === typeName)
    .map(({ number }) => number);
}

/** A serialised file without comments, which are most of a large contract. */
const bytesOf = memoize(({ proto }: DescFile) =>
  toBinary(FileDescriptorProtoSchema, create(FileDescriptorProtoSchema, { ...proto, sourceCodeInfo: undefined })),
);

/** A file, and those that it imports, near ones first. */
function filesFrom(file: DescFile): ReadonlySet<DescFile> {
  const files = new Set([file]);
  // Visits also what is added meanwhile.
  for (const { dependencies } of files) for (const dependency of dependencies) files.add(dependency);
  return files;
}

/** The bytes up to which an answer includes imported files. Clients accept messages of 4 MB, and ask for missing files by name. */
const maxImportedBytes = 1024 * 1024;

function fileAnswer(file: DescFile, sent: Set<string>): Answer {
  const fileDescriptorProto: Uint8Array[] = [];
  let bytes = 0;
  for (const each of filesFrom(file)) {
    // A file requested by name is sent again.
    if (each !== file && sent.has(each.proto.name)) continue;
    const serialised = bytesOf(each);
    bytes += serialised.length;
    if (each !== file && bytes > maxImportedBytes) break;
    sent.add(each.proto.name);
    fileDescriptorProto.push(serialised);
  }
  return { case: "fileDescriptorResponse", value: { fileDescriptorProto } };
}

function answerTo(
  contracts: readonly Contract[],
  { messageRequest: { case: asked, value } }: ServerReflectionRequest,
  sent: Set<string>,
): Answer {
  switch (asked) {
    case "listServices": {
      const names = contracts.flatMap(({ operations }) => operations.map(({ method }) => method.parent.typeName));
      const service = [...new Set(names)].toSorted().map((name) => ({ name }));
      return { case: "listServicesResponse", value: { service } };
    }
    case "fileByFilename":
      return fileAnswer(
        found(contracts, `file ${value}`, ({ registry }) => registry.getFile(value)),
        sent,
      );
    case "fileContainingSymbol":
      return fileAnswer(
        found(contracts, value, (contract) => fileOfSymbol(contract, value)),
        sent,
      );
    case "fileContainingExtension": {
      const what = `extension ${value.extensionNumber} of ${value.containingType}`;
      return fileAnswer(
        found(contracts, what, (contract) => fileOfExtension(contract, value)),
        sent,
      );
    }
    case "allExtensionNumbersOfType": {
      const extensionNumber = [...found(contracts, value, (contract) => extensionNumbers(contract, value))];
      return { case: "allExtensionNumbersResponse", value: { baseTypeName: value, extensionNumber } };
    }
    case undefined:
      throw new CallError("INVALID_ARGUMENT", "the request asks for nothing that is known here");
  }
}

/** Answers with descriptors of these contracts. An unknown name gets an error answer and does not end the stream. */
export function reflectionMethods(contracts: readonly Contract[]): Methods<typeof ServerReflection> {
  return {
    async *serverReflectionInfo(requests) {
      const sent = new Set<string>();
      for await (const request of requests) {
        let messageResponse: Answer;
        try {
          messageResponse = answerTo(contracts, request, sent);
        } catch (thrown) {
          const { code, message } = CallError.from(thrown);
          const value = { errorCode: canonicalCodes[code].grpc, errorMessage: message };
          messageResponse = { case: "errorResponse", value };
        }
        yield create(ServerReflectionResponseSchema, {
          validHost: request.host,
          originalRequest: request,
          messageResponse,
        });
      }
    },
  };
}
