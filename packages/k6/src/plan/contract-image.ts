// The contract for k6: its descriptor set without comments, the hash that plans and results contain, and the types of the gRPC calls of a plan.
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { builtInImage, contractFromImage, withoutComments, type Contract } from "@roundtrip/contract";
import { type ContractSource } from "@roundtrip/runner";
import { fileFault } from "@roundtrip/runs/files";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { K6Error } from "../basics/k6-error.ts";

export const contractFile = "contract.binpb";

export interface ContractImage {
  readonly contract: Contract;
  /** A serialised `google.protobuf.FileDescriptorSet`. */
  readonly bytes: Uint8Array;
  /** SHA-256 of the bytes, in hexadecimal digits. */
  readonly hash: string;
}

function bytesOf(source: ContractSource): Uint8Array {
  if (source.kind === "built-in") return builtInImage();
  try {
    return readFileSync(source.path);
  } catch (cause) {
    throw new K6Error("unreadable", `cannot read the contract ${source.path}: ${fileFault(cause)}`, { cause });
  }
}

/** Throws a K6Error `unreadable`. */
export function contractImage(source: ContractSource): ContractImage {
  const bytes = withoutComments(bytesOf(source));
  return { contract: contractFromImage(bytes), bytes, hash: createHash("sha256").update(bytes).digest("hex") };
}

export const typesFile = "calls.binpb";

/** Its values may be of any type. */
const anyFile = "google/protobuf/any.proto";

/**
 * The files of a serialised `FileDescriptorSet` that calls of these methods need: all where a value of any type may occur. Each virtual user loads
 * them, so the rest of a large contract would cost memory and time.
 * @param methods such as `shop.v1.Shop/GetThing`.
 */
export function calledTypes(image: Uint8Array, methods: ReadonlySet<string>): Uint8Array<ArrayBuffer> {
  const files = fromBinary(FileDescriptorSetSchema, image).file;
  const services = new Set([...methods].map((method) => `.${method.slice(0, method.lastIndexOf("/"))}`));
  const isCalled = ({ package: scope, service }: (typeof files)[number]): boolean =>
    service.some(({ name }) => services.has(`${scope === "" ? "" : `.${scope}`}.${name}`));
  const needed = new Set(files.filter(isCalled).map(({ name }) => name));
  // The set grows while it is read.
  for (const name of needed) {
    for (const imported of files.find((file) => file.name === name)?.dependency ?? []) needed.add(imported);
  }
  const file = needed.has(anyFile) ? files : files.filter(({ name }) => needed.has(name));
  return toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file }));
}
