// Errors in a file, with their position.
import { FakeError } from "@roundtrip/fakes";
import type { LocatedDocument } from "@roundtrip/fakes/parts";

function placed(thrown: unknown, document: LocatedDocument): unknown {
  if (!(thrown instanceof FakeError) || thrown.position !== undefined) return thrown;
  const { code, what, path } = thrown;
  return new FakeError(code, what, { position: document.positionOf(path), path, cause: thrown });
}

/** What the work gives. A FakeError of it has the place in the document that its path leads to. */
export function placing<T>(document: LocatedDocument, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw placed(thrown, document);
  }
}

/** The same for work that takes time. */
export async function placingLater<T>(document: LocatedDocument, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw placed(thrown, document);
  }
}
