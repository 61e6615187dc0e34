// The long-running operations of one session, and their names: below the resource that they are about if the contract reads them there, otherwise
// `operations/ID`.
import type { DescMessage, Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import type { Any } from "@bufbuild/protobuf/wkt";
import { CallError, type Contract } from "@roundtrip/contract";
import { exampleName } from "../basics/names.ts";
import { isPolling } from "../resources/long-running.ts";

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
    for (const operation of initial) this.#byName.set(operation.name, operation);
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
    return name === "" ? all : all.filter((operation) => operation.name.startsWith(`${name.replace(/\/+$/, "")}/`));
  }
}

/** Segments of a name, with variables as `*`. */
type Pattern = readonly string[];

/** Makes the name of an operation from its id and from the request that starts it. */
export type NameOperation = (id: string, request: Message, input: DescMessage) => string;

const collection = "operations";

/** The names that the contract's methods read operations by, without the operation's own id. */
function parentsIn(contract: Contract): readonly Pattern[] {
  const bindings = contract.operations
    .filter((operation) => isPolling(operation))
    .flatMap((operation) => operation.bindings);
  return bindings.flatMap(({ path }) => {
    const variable = path.variables.find(({ fieldPath }) => fieldPath.join(".") === "name");
    if (variable === undefined) return [];
    const segments = path.segments
      .slice(variable.start, variable.end)
      .map((segment) => (segment.kind === "literal" ? segment.text : "*"));
    const at = segments.lastIndexOf(collection);
    return at === -1 ? [] : [segments.slice(0, at + 1)];
  });
}

/** The texts in a request and in the messages in its fields. */
function textsIn(desc: DescMessage, request: Message): readonly string[] {
  const message = reflect(desc, request, false);
  return desc.fields.flatMap((field) => {
    if (!message.isSet(field)) return [];
    if (field.fieldKind === "message" && !field.message.typeName.startsWith("google.protobuf.")) {
      const inner = message.get(field);
      const name = field.message.fields.find((inside) => inside.name === "name" && inside.fieldKind === "scalar");
      const text: unknown = name === undefined ? "" : inner.get(name);
      return typeof text === "string" && text !== "" ? [text] : [];
    }
    const text: unknown = field.fieldKind === "scalar" ? message.get(field) : "";
    return typeof text === "string" && text.includes("/") ? [text] : [];
  });
}

/** The start of a resource's name that the pattern describes; undefined if it differs. */
function startOf(name: string, pattern: Pattern): string | undefined {
  const segments = name.split("/");
  const above = pattern.slice(0, -1);
  if (above.length === 0 || segments.length < above.length) return undefined;
  const fits = above.every((part, at) => part === "*" || part === segments[at]);
  return fits ? segments.slice(0, above.length).join("/") : undefined;
}

/** The name of the collection of operations, for examples. */
export function exampleParent(contract: Contract): string {
  const [first] = parentsIn(contract);
  return first === undefined ? collection : exampleName(first);
}

export function operationNames(contract: Contract): NameOperation {
  // The longest first: the closest resource.
  const parents = parentsIn(contract).toSorted((pattern, next) => next.length - pattern.length);
  const fallback = exampleParent(contract);
  return (id, request, input) => {
    const texts = textsIn(input, request);
    for (const pattern of parents) {
      const start = texts.map((text) => startOf(text, pattern)).find((found) => found !== undefined);
      if (start !== undefined) return `${start}/${collection}/${id}`;
    }
    return `${fallback}/${id}`;
  };
}
