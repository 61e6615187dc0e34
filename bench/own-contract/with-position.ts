// Adds positions to errors in a file.
import { FakeError } from "@roundtrip/fakes";
import type { LocatedDocument } from "@roundtrip/fakes/parts";

function errorWithPosition(thrown: unknown, document: LocatedDocument): unknown {
  if (!(thrown instanceof FakeError) || thrown.position !== undefined) return thrown;
  const { code, what, path } = thrown;
  return new FakeError(code, what, { position: document.positionOf(path), path, cause: thrown });
}

/** The result of the work. A FakeError gets the position in the document that its path leads to. */
export function withPosition<T>(document: LocatedDocument, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw errorWithPosition(thrown, document);
  }
}

/** The same for asynchronous work. */
export async function withPositionAsync<T>(document: LocatedDocument, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw errorWithPosition(thrown, document);
  }
}
