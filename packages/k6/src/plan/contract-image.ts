// The contract for k6: its descriptor set without comments, and the hash that plans and results contain.
import { builtInImage, contractFromImage, withoutComments, type Contract } from "@roundtrip/contract";
import { type ContractSource } from "@roundtrip/runner";
import { fileFault } from "@roundtrip/runs/files";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { K6Error } from "../basics/k6-error.ts";

/** The file's name in an exported directory. */
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
