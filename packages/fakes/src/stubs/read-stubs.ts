// Reads stubs that stand in files, and holds them against the contract before anybody calls: what is wrong is told with file, line and column.
import type { JsonValue } from "@bufbuild/protobuf";
import type { Contract } from "@roundtrip/contract";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import { parseDocuments, type LocatedDocument } from "../files/located-documents.ts";
import { readDocuments } from "../files/read-documents.ts";
import { compileStub } from "./compiled-stub.ts";
import type { Stub } from "./stub.ts";
import { hasOneAnswer, stubOf } from "./stub-form.ts";

/** More of them are no stubs that somebody wrote. */
const maxStubs = 100_000;

/** The same error with the place in the file. `shown` is the part of the path that a reader needs beside it. */
function placed(thrown: unknown, document: LocatedDocument, path: ValuePath, shown: ValuePath): unknown {
  if (!(thrown instanceof FakeError)) return thrown;
  return new FakeError(thrown.code, thrown.what, { place: document.placeOf(path), path: shown, cause: thrown });
}

/** A stub of a document, checked. It has the whole name of its operation. */
function checkedStub(json: JsonValue, prefix: ValuePath, document: LocatedDocument, contract: Contract): Stub {
  try {
    const stub = stubOf(json, prefix);
    const { operation } = compileStub(contract, stub, prefix);
    return { ...stub, operation: operation.id };
  } catch (thrown) {
    const within = thrown instanceof FakeError ? thrown.path.slice(prefix.length) : [];
    // What is compiled has a list of answers; what is written may have its one answer itself.
    const isUnlisted = hasOneAnswer(json) && within[0] === "answers";
    const written = isUnlisted ? within.slice(2) : within;
    throw placed(thrown, document, [...prefix, ...written], written);
  }
}

/** A document is one stub, or a list of them. */
function stubsOf(document: LocatedDocument, contract: Contract): readonly Stub[] {
  const { value } = document;
  return Array.isArray(value)
    ? value.map((one, index) => checkedStub(one, [index], document, contract))
    : [checkedStub(value, [], document, contract)];
}

function stubsIn(documents: readonly LocatedDocument[], contract: Contract): readonly Stub[] {
  const stubs = documents.flatMap((document) => stubsOf(document, contract));
  if (stubs.length > maxStubs) throw new FakeError("too-large", `${stubs.length} stubs, at most ${maxStubs} are taken`);
  return stubs;
}

/**
 * The stubs in a text of YAML or JSON. Throws a FakeError with the place of the first fault.
 * @param file what the text is called in faults.
 */
export function parseStubs(text: string, file: string, contract: Contract): readonly Stub[] {
  return stubsIn(parseDocuments(text, file), contract);
}

/**
 * The stubs in a file, or in all .yaml, .yml and .json files of a folder in the order of their paths. Rejects with a FakeError that names
 * file, line and column.
 */
export async function readStubs(path: string, contract: Contract): Promise<readonly Stub[]> {
  return stubsIn(await readDocuments(path), contract);
}
