// Reads stubs from files and checks them against the contract before any call. Errors have file, line and column.
import type { JsonValue } from "@bufbuild/protobuf";
import type { Contract } from "@roundtrip/contract";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import { parseDocuments, type LocatedDocument } from "../files/located-documents.ts";
import { readDocuments } from "../files/read-documents.ts";
import { compileStub } from "./compiled-stub.ts";
import type { Stub } from "./stub.ts";
import { hasOneAnswer, stubOf } from "./stub-form.ts";

/** A limit on stubs, far above what people write. */
const maxStubs = 100_000;

/** Adds the position in the file to an error. `shown` is the part of the path that the message contains. */
function withPosition(thrown: unknown, document: LocatedDocument, path: ValuePath, shown: ValuePath): unknown {
  if (!(thrown instanceof FakeError)) return thrown;
  return new FakeError(thrown.code, thrown.what, { position: document.positionOf(path), path: shown, cause: thrown });
}

/** A stub of a document, checked, with the full id of its operation. */
function checkedStub(json: JsonValue, prefix: ValuePath, document: LocatedDocument, contract: Contract): Stub {
  try {
    const stub = stubOf(json, prefix);
    const { operation } = compileStub(contract, stub, prefix);
    return { ...stub, operation: operation.id };
  } catch (thrown) {
    const within = thrown instanceof FakeError ? thrown.path.slice(prefix.length) : [];
    // A compiled stub has a list of answers; a written one may have a single answer without a list.
    const isUnlisted = hasOneAnswer(json) && within[0] === "answers";
    const written = isUnlisted ? within.slice(2) : within;
    throw withPosition(thrown, document, [...prefix, ...written], written);
  }
}

/** A document is one stub or a list of stubs. */
function stubsOf(document: LocatedDocument, contract: Contract): readonly Stub[] {
  const { value } = document;
  return Array.isArray(value)
    ? value.map((one, index) => checkedStub(one, [index], document, contract))
    : [checkedStub(value, [], document, contract)];
}

function stubsIn(documents: readonly LocatedDocument[], contract: Contract): readonly Stub[] {
  const stubs = documents.flatMap((document) => stubsOf(document, contract));
  if (stubs.length > maxStubs)
    throw new FakeError("too-large", `expected at most ${maxStubs} stubs, got ${stubs.length}`);
  return stubs;
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
