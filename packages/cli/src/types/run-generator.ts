// Runs protoc-gen-es as compilers run it: a request on its standard input, files in memory on its standard output. It touches no disk.
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  CodeGeneratorRequestSchema,
  CodeGeneratorResponseSchema,
  type FileDescriptorProto,
} from "@bufbuild/protobuf/wkt";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { CliError } from "../basics/cli-error.ts";
import { programEnd } from "../basics/program-end.ts";

const timeoutMs = 60_000;

const generatorFolder = dirname(findPackageJSON("@bufbuild/protoc-gen-es", import.meta.url) ?? ".");

/** A file as a generator writes it. */
export interface GeneratedFile {
  /** Relative to where all of them go, with `/` between folders. */
  readonly name: string;
  readonly text: string;
}

/** The runtime library has these: nobody generates them. */
function isOfTheRuntime({ name }: FileDescriptorProto): boolean {
  return name.startsWith("google/protobuf/");
}

/**
 * Generates the code of all files. Rejects with an Error when the generator does, with a CliError `unavailable` when it takes too long.
 * @param files each behind those that it imports.
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
  const signal = AbortSignal.timeout(timeoutMs);
  const { status, how, stdout, stderr } = await programEnd(
    [process.execPath, join(generatorFolder, "bin", "protoc-gen-es")],
    { input: toBinary(CodeGeneratorRequestSchema, request), signal },
  );
  if (signal.aborted) {
    const limit = `${timeoutMs / 1_000} s`;
    throw new CliError("unavailable", `protoc-gen-es did not finish within ${limit}; give fewer files to "types"`);
  }
  if (status !== 0) throw new Error(`protoc-gen-es ended with ${how}: ${stderr.trim()}`);
  const response = fromBinary(CodeGeneratorResponseSchema, stdout);
  if (response.error !== "") throw new Error(`protoc-gen-es: ${response.error}`);
  return response.file.map(({ name, content }) => ({ name, text: content }));
}
