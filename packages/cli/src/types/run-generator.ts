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

/** For files of up to several thousand types; the time grows with the square. */
export const generatorLimitMs = 600_000;

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

/** Whether the runtime library has the file: the generator then imports it from there. Other files below google/protobuf have to be generated. */
function isOfTheRuntime({ name }: FileDescriptorProto): boolean {
  return Object.hasOwn(wktPublicImportPaths, name);
}

/**
 * Generates the code of all files. Rejects with an Error if the generator fails, and with a CliError `unavailable` if it takes too long.
 * @param files each after its imports.
 * @param parameter the generator's options, separated by commas.
 */
export async function runGenerator(
  files: readonly FileDescriptorProto[],
  parameter: string,
): Promise<readonly GeneratedFile[]> {
  const request = create(CodeGeneratorRequestSchema, {
    fileToGenerate: files.filter((file) => !isOfTheRuntime(file)).map(({ name }) => name),
    parameter,
    protoFile: [...files],
  });
  const signal = AbortSignal.timeout(generatorLimitMs);
  const { status, how, stdout, stderr } = await programEnd([process.execPath, generatorProgram()], {
    input: toBinary(CodeGeneratorRequestSchema, request),
    signal,
  });
  if (signal.aborted) {
    const limit = `${generatorLimitMs / 1_000} s`;
    throw new CliError("unavailable", `protoc-gen-es did not finish within ${limit}; give fewer files to "types"`);
  }
  if (status !== 0) throw new Error(`protoc-gen-es ended with ${how}: ${stderr.trim()}`);
  const response = fromBinary(CodeGeneratorResponseSchema, stdout);
  if (response.error !== "") throw new Error(`protoc-gen-es: ${response.error}`);
  // Comments of the contract are in it. An escape in a string literal is the same value.
  return response.file.map(({ name, content }) => ({ name, text: withoutSteering(content) }));
}
