// Answers the methods that start long-running operations, and those that read, wait for, cancel, delete and list them. Operations are named below the
// resource that they are about if the contract reads them there, otherwise `operations/ID`.
import { create, type DescMessage, fromBinary, type Message } from "@bufbuild/protobuf";
import { anyPack, EmptySchema, type Any } from "@bufbuild/protobuf/wkt";
import {
  bytesInMemory,
  CallError,
  canonicalCodes,
  type Contract,
  type Handler,
  isObject,
  type Operation,
  type StoredMemory,
} from "@roundtrip/contract";
import { snakeCase } from "@roundtrip/contract/resources";
import { crc32 } from "node:zlib";
import type { AnswerMaker } from "../answers/answer-maker.ts";
import { Draw } from "../answers/draw.ts";
import { exampleName } from "../basics/names.ts";
import { invalid } from "../resources/resource.ts";
import { type EarlierService, rereading, Unreadable, whyNot } from "../resources/reread.ts";
import { isOfOperations, isPolling, longRunning, type LongRunning } from "../resources/long-running.ts";

/** How many operations a session has at first. All have ended. */
const initialOperations = 3;
/** The maximum number of operations of a session. Beyond it, the oldest is removed. */
const maxOperations = 1_000;
const defaultPageSize = 50;

interface StoredOperation {
  readonly name: string;
  readonly metadata: Any | undefined;
  readonly ending: { readonly response: Any } | { readonly cancelled: true };
  readonly isDone: boolean;
  /** In memory; 0 for one that all sessions share. */
  readonly bytes: number;
}

/** The long-running operations of one session. */
export class OperationStore {
  readonly #byName = new Map<string, StoredOperation>();
  readonly #memory: StoredMemory;
  #count = 0;

  /** @param initial operations that a session has at first, which all sessions share */
  constructor(initial: readonly StoredOperation[], memory: StoredMemory) {
    this.#memory = memory;
    for (const operation of initial) this.#byName.set(operation.name, operation);
  }

  /** Takes over the operations of an earlier contract, and reports those whose response or metadata has another type. */
  takeOver(earlier: OperationStore, from: Contract, to: Contract, onReset: EarlierService["onReset"]): void {
    const reread = rereading(from, to);
    const same = ({ typeUrl, value }: Any): Any => {
      const name = typeUrl.slice(typeUrl.lastIndexOf("/") + 1);
      const [desc, next] = [from.registry.getMessage(name), to.registry.getMessage(name)];
      if (desc === undefined || next === undefined) throw new Unreadable(`${name} was removed`);
      return anyPack(next, reread(desc, next, fromBinary(desc, value)));
    };
    this.#count = earlier.#count;
    for (const name of this.#byName.keys()) if (!earlier.#byName.has(name)) this.#byName.delete(name);
    for (const operation of earlier.#byName.values()) {
      if (operation.bytes === 0) continue;
      const { metadata, ending } = operation;
      const why = whyNot(() =>
        this.add({
          ...operation,
          metadata: metadata && same(metadata),
          ending: "response" in ending ? { response: same(ending.response) } : ending,
        }),
      );
      if (why !== undefined) onReset({ names: ["operation", "operations"], count: 1, why });
    }
  }

  /** The number of the next operation, from 1. */
  nextNumber(): number {
    return ++this.#count;
  }

  /** Throws RESOURCE_EXHAUSTED. */
  add(operation: StoredOperation): StoredOperation {
    const [oldest = ""] = this.#byName.size < maxOperations ? [] : this.#byName.keys();
    this.#drop(oldest);
    this.#memory.take(operation.bytes);
    this.#byName.set(operation.name, operation);
    return operation;
  }

  /** Ends an operation, if it has not ended yet. Throws NOT_FOUND. */
  end(name: string, { ending }: Partial<StoredOperation> = {}): StoredOperation {
    const operation = this.#byName.get(name);
    if (operation === undefined) {
      const details = { reason: "OPERATION_NOT_FOUND", metadata: { name } };
      throw new CallError("NOT_FOUND", `there is no operation ${name}`, details);
    }
    if (operation.isDone) return operation;
    const ended = { ...operation, ending: ending ?? operation.ending, isDone: true };
    this.#byName.set(name, ended);
    return ended;
  }

  /** Throws NOT_FOUND. */
  remove(name: string): void {
    this.end(name);
    this.#drop(name);
  }

  /** The operations below a collection or resource, the oldest first; all for an empty name. */
  below(name: string): readonly StoredOperation[] {
    const all = [...this.#byName.values()];
    return name === "" ? all : all.filter((operation) => operation.name.startsWith(`${name}/`));
  }

  #drop(name: string): void {
    this.#memory.take(-(this.#byName.get(name)?.bytes ?? 0));
    this.#byName.delete(name);
  }
}

type Properties = Readonly<Record<string, unknown>>;

function textIn(request: Message, name: string): string {
  const value = (request as unknown as Properties)[name];
  return typeof value === "string" ? value : "";
}

/** The operation as a message of the contract's own type. */
function messageOf(desc: DescMessage, { name, metadata, ending, isDone }: Omit<StoredOperation, "bytes">): Message {
  const answer = create(desc) as Message & Record<string, unknown>;
  answer["name"] = name;
  if (metadata !== undefined) answer["metadata"] = metadata;
  answer["done"] = isDone;
  if (!isDone) return answer;
  const status = desc.fields.find((field) => field.name === "error")?.message;
  if ("response" in ending) answer["result"] = { case: "response", value: ending.response };
  else if (status !== undefined) {
    const error = create(status, { code: canonicalCodes.CANCELLED.grpc, message: "the operation was cancelled" });
    answer["result"] = { case: "error", value: error };
  }
  return answer;
}

/** A page of operations. Page tokens are positions: operations are only added at the end. */
function listed({ output }: Operation, request: Message, store: OperationStore): Message {
  const start = Number(Buffer.from(textIn(request, "pageToken"), "base64url").toString());
  if (!Number.isInteger(start) || start < 0) throw invalid("page_token", "not a token of this service");
  const asked = Number((request as unknown as Properties)["pageSize"] ?? 0);
  const end = start + (asked > 0 ? asked : defaultPageSize);
  const all = store.below(textIn(request, "name"));
  const answer = create(output) as Message & Record<string, unknown>;
  const desc = output.fields.find(({ name }) => name === "operations")?.message;
  if (desc === undefined) return answer;
  answer["operations"] = all.slice(start, end).map((operation) => messageOf(desc, operation));
  if (end < all.length) answer["nextPageToken"] = Buffer.from(String(end)).toString("base64url");
  return answer;
}

const collection = "operations";

/** The resources below which the contract's methods read operations, as segments with variables as `*`. The longest come first. */
function parentsIn(contract: Contract): readonly (readonly string[])[] {
  const bindings = contract.operations
    .filter((operation) => isPolling(operation))
    .flatMap((operation) => operation.bindings);
  const parents = bindings.flatMap(({ path }) => {
    const variable = path.variables.find(({ fieldPath }) => fieldPath.join(".") === "name");
    if (variable === undefined) return [];
    const segments = path.segments
      .slice(variable.start, variable.end)
      .map((segment) => (segment.kind === "literal" ? segment.text : "*"));
    return segments.includes(collection) ? [segments.slice(0, segments.lastIndexOf(collection))] : [];
  });
  return parents.toSorted((parent, next) => next.length - parent.length);
}

/** The start of a resource's name that has this form; undefined if there is none. */
function startOf(name: string, form: readonly string[]): string | undefined {
  const segments = name.split("/");
  const fits = form.length > 0 && form.every((part, at) => (part === "*" ? at in segments : part === segments[at]));
  return fits ? segments.slice(0, form.length).join("/") : undefined;
}

/** The long-running operations of a contract. */
export class OperationMethods {
  readonly #contract: Contract;
  readonly #maker: AnswerMaker;
  readonly #canPoll: boolean;
  readonly #parents: readonly (readonly string[])[];
  #initial: readonly StoredOperation[] | undefined;

  constructor(contract: Contract, maker: AnswerMaker) {
    this.#contract = contract;
    this.#maker = maker;
    this.#canPoll = contract.operations.some((operation) => isPolling(operation));
    this.#parents = parentsIn(contract);
  }

  /** Undefined for a method that starts no operation. */
  startedBy(operation: Operation): LongRunning | undefined {
    return longRunning(this.#contract, operation);
  }

  /** The operations that a new session has, so that a list is not empty. */
  store(memory: StoredMemory): OperationStore {
    this.#initial ??= this.#makeInitial();
    return new OperationStore(this.#initial, memory);
  }

  /** Undefined for a method that is not about operations. */
  handlerOf(operation: Operation, store: OperationStore): Handler | undefined {
    const { output, method } = operation;
    // Reading an operation is waiting for it: it has ended when it is first read.
    if (isPolling(operation)) return (request) => messageOf(output, store.end(textIn(request, "name")));
    if (!isOfOperations(operation)) return undefined;
    switch (method.name) {
      case "ListOperations":
        return (request) => listed(operation, request, store);
      case "CancelOperation":
        return (request) => {
          store.end(textIn(request, "name"), { ending: { cancelled: true } });
          return create(output);
        };
      case "DeleteOperation":
        return (request) => {
          store.remove(textIn(request, "name"));
          return create(output);
        };
      default:
        return undefined;
    }
  }

  /**
   * Does the work at once, and answers with an operation that ends when it is next read. If the contract has no method to read it, it has ended
   * already. @param answer does the work
   */
  starting(operation: Operation, { work, metadata }: LongRunning, answer: Handler, store: OperationStore): Handler {
    return async (request, call) => {
      const response = await answer(request, call);
      const id = `${snakeCase(operation.method.name).replaceAll("_", "-")}-${store.nextNumber()}`;
      const started = {
        name: `${this.#parentOf(request)}/${id}`,
        metadata: this.#metadata(metadata, crc32(id)),
        ending: { response: anyPack(work.output, response) },
        isDone: !this.#canPoll,
      };
      store.add({ ...started, bytes: bytesInMemory(started) });
      return messageOf(operation.output, started);
    };
  }

  /** The name in an example request that reads operations: of an initial one, or of them all. Undefined for other requests. */
  exampleName(operation: Operation): string | undefined {
    const { method } = operation;
    if (!isPolling(operation) && !isOfOperations(operation)) return undefined;
    if (method.name === "ListOperations") return this.#exampleParent;
    return this.#initialName(method.name === "DeleteOperation" ? initialOperations : 1);
  }

  get #exampleParent(): string {
    return exampleName([...(this.#parents.at(-1) ?? []), collection]);
  }

  #initialName(number: number): string {
    return `${this.#exampleParent}/operation-${number}`;
  }

  /** The collection of the closest resource that a request names. */
  #parentOf(request: Message): string {
    const values = Object.values(request).map((value: unknown) => (isObject(value) ? value["name"] : value));
    const names = values.filter((value) => typeof value === "string");
    const starts = this.#parents.flatMap((form) => names.map((name) => startOf(name, form)));
    const start = starts.find((found) => found !== undefined);
    return start === undefined ? this.#exampleParent : `${start}/${collection}`;
  }

  #metadata(desc: DescMessage | undefined, seed: number): Any | undefined {
    if (desc === undefined) return undefined;
    return anyPack(desc, this.#maker.message(desc, new Draw([this.#maker.seed, crc32(desc.typeName), seed, 0])));
  }

  #makeInitial(): readonly StoredOperation[] {
    if (!this.#canPoll) return [];
    const [first] = this.#contract.operations.flatMap((operation) => this.startedBy(operation) ?? []);
    return Array.from({ length: initialOperations }, (_, at): StoredOperation => {
      const output = first?.work.output ?? EmptySchema;
      const draw = new Draw([this.#maker.seed, crc32("initial operation"), at, 0]);
      return {
        name: this.#initialName(at + 1),
        metadata: this.#metadata(first?.metadata, at),
        ending: { response: anyPack(output, this.#maker.message(output, draw)) },
        isDone: true,
        bytes: 0,
      };
    });
  }
}
