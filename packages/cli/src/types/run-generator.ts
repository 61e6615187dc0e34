// Runs protoc-gen-es as compilers do: a request on standard input, files on standard output, nothing on disk.
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  CodeGeneratorRequestSchema,
  CodeGeneratorResponseSchema,
  type FileDescriptorProto,
} from "@bufbuild/protobuf/wkt";
import { wktPublicImportPaths } from "@bufbuild/protobuf/codegenv2";
import { requireLibraries } from "@roundtrip/stacks";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { CliError } from "../basics/cli-error.ts";
import { programEnd } from "../basics/program-end.ts";
import { withoutSteering } from "../output/terminal.ts";

/** Far beyond the time of what is not refused before. */
const limitMs = 300_000;

const generator = "@bufbuild/protoc-gen-es";

/** Throws a StackError if the generator is not installed. */
function generatorProgram(): string {
  requireLibraries('"types"', [generator], import.meta.url);
  return join(dirname(findPackageJSON(generator, import.meta.url) ?? ""), "bin", "protoc-gen-es");
}

export interface GeneratedFile {
  /** Relative to the output folder, with `/` between folders. */
  readonly name: string;
  readonly text: string;
}

/** Whether the code of the file has to be generated. The runtime library has that of some below google/protobuf, and the generator imports it from there. */
export function isGenerated({ name }: FileDescriptorProto): boolean {
  return !Object.hasOwn(wktPublicImportPaths, name);
}

export interface GeneratorRequest {
  /** Each after its imports. */
  readonly files: readonly FileDescriptorProto[];
  /** The files whose code is generated. */
  readonly generated: readonly FileDescriptorProto[];
  /** What one of them declares, if its code is that of fewer declarations than it embeds. */
  readonly declared?: FileDescriptorProto;
  /** The generator's options, separated by commas. */
  readonly parameter: string;
}

/** Generates code. Rejects with an Error if the generator fails, and with a CliError `unavailable` if it takes too long. */
export async function runGenerator({
  files,
  generated,
  declared,
  parameter,
}: GeneratorRequest): Promise<readonly GeneratedFile[]> {
  const request = create(CodeGeneratorRequestSchema, {
    fileToGenerate: generated.map(({ name }) => name),
    parameter,
    protoFile: [...files],
    sourceFileDescriptors: declared === undefined ? [] : [declared],
  });
  const signal = AbortSignal.timeout(limitMs);
  const { status, how, stdout, stderr } = await programEnd([process.execPath, generatorProgram()], {
    input: toBinary(CodeGeneratorRequestSchema, request),
    signal,
  });
  if (signal.aborted) {
    const limit = `${limitMs / 1_000} s`;
    throw new CliError("unavailable", `protoc-gen-es did not finish within ${limit}; give fewer files to "types"`);
  }
  if (status !== 0) throw new Error(`protoc-gen-es ended with ${how}: ${stderr.trim()}`);
  const response = fromBinary(CodeGeneratorResponseSchema, stdout);
  if (response.error !== "") throw new Error(`protoc-gen-es: ${response.error}`);
  // Comments of the contract are in it. An escape in a string literal is the same value.
  return response.file.map(({ name, content }) => ({ name, text: withoutSteering(content) }));
}
