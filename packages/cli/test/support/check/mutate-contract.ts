// Contracts that are another one with something changed, whatever it is: what people do to contracts, good or bad, drawn at random.
import { clone, create, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { contractFromImage, type Contract } from "@roundtrip/contract";
import { fieldMutations } from "./field-mutations.ts";
import { one } from "./mutation.ts";
import { otherMutations } from "./other-mutations.ts";
import type { Random } from "./sample-message.ts";
import type { Renamed } from "./same-values.ts";

const mutations = { ...fieldMutations, ...otherMutations };

export interface Mutated {
  readonly contract: Contract;
  readonly renamed: Renamed;
  /** What was done. */
  readonly done: readonly string[];
}

/** A contract with so many mutations; undefined when the result is not a contract. */
export function mutated(contract: Contract, fileName: string, times: number, random: Random): Mutated | undefined {
  const files = [...contract.registry.files].map(({ proto }) => clone(FileDescriptorProtoSchema, proto));
  const file = files.find(({ name }) => name === fileName);
  if (file === undefined) throw new Error(`there is no file ${fileName}`);
  const renamed: Record<string, string> = {};
  const names = Object.keys(mutations);
  const done: string[] = [];
  for (let count = 0; count < times; count += 1) {
    const said = mutations[one(names, random) ?? ""]?.({ file, renamed, random, count });
    if (said !== undefined) done.push(said);
  }
  try {
    const image = toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: files }));
    return { contract: contractFromImage(image), renamed, done };
  } catch {
    // A path with a list in it, and the like.
    return undefined;
  }
}
