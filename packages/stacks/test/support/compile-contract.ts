// Compiles protobuf source that a test brings along, with the imports that contracts may use: once in a run of the tests.
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { contractFromImage, type Contract } from "@roundtrip/contract";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findBuf } from "../../../cli/src/contract/run-buf.ts";

const contractFolder = fileURLToPath(new URL("../../../contract/", import.meta.url));

/** What may be imported: google.api, and all rules of buf.validate in the place of the few that our own contract uses. */
const importFolders = ["well-known", "common-imports", "complete-rules"].map((name) => join(contractFolder, name));

type Sources = Readonly<Record<string, string>>;

function compile(sources: Sources, imagePath: string): void {
  const folder = mkdtempSync(join(tmpdir(), "roundtrip-contract-"));
  try {
    const proto = join(folder, "proto");
    for (const imports of importFolders) cpSync(imports, proto, { recursive: true });
    const paths = Object.entries(sources).flatMap(([name, source]) => {
      const path = join(proto, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, source);
      return ["--path", path];
    });
    const [program, ...args] = findBuf();
    const image = join(folder, "image.binpb");
    execFileSync(program, [...args, "build", proto, ...paths, "--output", image]);
    // Another process may look for it meanwhile: it is there as a whole or not at all.
    renameSync(image, imagePath);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function imageOf(sources: Sources): Uint8Array {
  // All processes of the tests share this directory, which no other run of them has: what is imported does not change meanwhile.
  const images = join(tmpdir(), "compiled-contracts");
  mkdirSync(images, { recursive: true });
  const imagePath = join(images, `${createHash("sha256").update(JSON.stringify(sources)).digest("hex")}.binpb`);
  if (!existsSync(imagePath)) compile(sources, imagePath);
  return readFileSync(imagePath);
}

/** The contract that this protobuf source declares. */
export function compileContract(source: string): Contract {
  return contractFromImage(imageOf({ "test.proto": source }));
}

/** As long as the package's name, so that the bytes of an image can have one for the other. */
export function standIn(packageName: string, index: number): string {
  return `s${String(index).padStart(packageName.length - 1, "0")}`;
}

/** The contract of the files in the folder of a stand-in, with what they import. */
export function variantOf(files: readonly FileDescriptorProto[], packageName: string, index: number): Contract {
  const folder = `${standIn(packageName, index)}/`;
  const wanted = new Set<string>();
  // Each file is behind what it imports.
  for (const { name, dependency } of files.toReversed())
    if (name.startsWith(folder) || wanted.has(name)) for (const path of [name, ...dependency]) wanted.add(path);
  const file = files.filter(({ name }) => wanted.has(name));
  const image = Buffer.from(toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file })));
  const renamed = image.toString("latin1").replaceAll(standIn(packageName, index), packageName);
  return contractFromImage(Buffer.from(renamed, "latin1"));
}

/** Collects sources of a package while tests are declared. The first contract that a test asks for compiles all: a compiler's start takes longer than a source. */
export function variantsOf(packageName: string): (source: string) => () => Contract {
  const sources: Record<string, string> = {};
  let files: readonly FileDescriptorProto[] | undefined;
  return (source) => {
    if (files !== undefined) throw new Error("a variant is added before the first contract is asked for");
    const index = Object.keys(sources).length;
    const name = standIn(packageName, index);
    sources[`${name}/test.proto`] = source.replaceAll(`${packageName}.`, `${name}.`);
    let contract: Contract | undefined;
    return () => {
      files ??= fromBinary(FileDescriptorSetSchema, imageOf(sources)).file;
      return (contract ??= variantOf(files, packageName, index));
    };
  };
}
