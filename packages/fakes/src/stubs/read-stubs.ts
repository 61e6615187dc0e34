// Reads stubs from files and checks them against the contract before any call, and writes them. Errors have file, line and column.
import type { Contract } from "@roundtrip/contract";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import { checked } from "../files/checked.ts";
import { type LocatedDocument, parseDocuments, readDocuments, withPosition, yaml } from "../files/located-documents.ts";
import { compileStub } from "./compiled-stub.ts";
import { type Stub, stubSchemas } from "./stub-schema.ts";

/** A limit on stubs, far above what people write. */
export const maxStubs = 100_000;

/** A stub of a document, checked, with the full id of its operation. */
function checkedStub(json: unknown, place: ValuePath, document: LocatedDocument, contract: Contract): Stub {
  try {
    const stub = checked(stubSchemas().stub, json, []);
    return { ...stub, operation: compileStub(contract, stub, []).operation.id };
  } catch (thrown) {
    throw withPosition(thrown, document, place);
  }
}

/** A document is one stub or a list of stubs. */
function stubsIn(documents: readonly LocatedDocument[], contract: Contract): readonly Stub[] {
  const stubs = documents.flatMap((document): readonly Stub[] => {
    const { value } = document;
    return Array.isArray(value)
      ? value.map((stub, index) => checkedStub(stub, [index], document, contract))
      : [checkedStub(value, [], document, contract)];
  });
  if (stubs.length <= maxStubs) return stubs;
  throw new FakeError("too-large", `expected at most ${maxStubs} stubs, got ${stubs.length}`);
}

/**
 * Parses the stubs in a text of YAML or JSON. Throws a FakeError with the position of the first error.
 * @param file the name of the text in errors
 */
export function parseStubs(text: string, file: string, contract: Contract): readonly Stub[] {
  return stubsIn(parseDocuments(text, file), contract);
}

/**
 * Reads the stubs in a file, or in all .yaml, .yml and .json files of a folder in the order of their paths. Rejects with a FakeError with
 * file, line and column.
 */
export async function readStubs(path: string, contract: Contract): Promise<readonly Stub[]> {
  return stubsIn(await readDocuments(path), contract);
}

/** A text that {@link parseStubs} reads as these stubs. */
export function writeStubs(stubs: readonly Stub[]): string {
  return yaml().stringify(stubs, { aliasDuplicateObjects: false, lineWidth: 120 });
}
