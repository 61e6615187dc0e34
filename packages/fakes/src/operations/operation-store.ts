// The long-running operations of one session: they are started, end when they are next read, and can be cancelled and deleted.
import { CallError } from "@roundtrip/contract";
import type { Any } from "@bufbuild/protobuf/wkt";

export type Ending = { readonly response: Any } | { readonly cancelled: true };

export interface StoredOperation {
  readonly name: string;
  readonly metadata: Any | undefined;
  readonly ending: Ending;
  readonly isDone: boolean;
}

/** The maximum number of operations of a session. Beyond it, the oldest is removed. */
const maxOperations = 1_000;

function notFound(name: string): CallError {
  return new CallError("NOT_FOUND", `there is no operation ${name}`, {
    reason: "OPERATION_NOT_FOUND",
    metadata: { name },
  });
}

export class OperationStore {
  readonly #byName = new Map<string, StoredOperation>();
  #count = 0;

  /** @param initial operations that a session has at first */
  constructor(initial: readonly StoredOperation[]) {
    for (const one of initial) this.#byName.set(one.name, one);
  }

  /** The number of the next operation, from 1. */
  nextNumber(): number {
    return ++this.#count;
  }

  add(operation: StoredOperation): StoredOperation {
    if (this.#byName.size >= maxOperations) {
      const [oldest = ""] = this.#byName.keys();
      this.#byName.delete(oldest);
    }
    this.#byName.set(operation.name, operation);
    return operation;
  }

  /** Throws NOT_FOUND. */
  get(name: string): StoredOperation {
    const operation = this.#byName.get(name);
    if (operation === undefined) throw notFound(name);
    return operation;
  }

  /** Ends an operation, if it has not ended yet. Throws NOT_FOUND. */
  end(name: string, ending?: Ending): StoredOperation {
    const operation = this.get(name);
    if (operation.isDone) return operation;
    const ended = { ...operation, ending: ending ?? operation.ending, isDone: true };
    this.#byName.set(name, ended);
    return ended;
  }

  /** Throws NOT_FOUND. */
  remove(name: string): void {
    this.get(name);
    this.#byName.delete(name);
  }

  /** The operations below a collection or resource, the oldest first; all for an empty name. */
  below(name: string): readonly StoredOperation[] {
    const all = [...this.#byName.values()];
    return name === "" ? all : all.filter((one) => one.name.startsWith(`${name.replace(/\/+$/, "")}/`));
  }
}
