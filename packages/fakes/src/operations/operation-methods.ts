// Answers the methods that start long-running operations, and those that read, wait for, cancel, delete and list them.
import { create, type DescMessage, type Message } from "@bufbuild/protobuf";
import { anyPack, EmptySchema, type Any } from "@bufbuild/protobuf/wkt";
import { canonicalCodes, type Contract, type Handler, type Operation } from "@roundtrip/contract";
import { crc32 } from "node:zlib";
import type { AnswerMaker } from "../answers/answer-maker.ts";
import { Draw } from "../answers/draw.ts";
import { snakeCase } from "../basics/names.ts";
import { invalid } from "../resources/resource.ts";
import { isOfOperations, isPolling, longRunning, type LongRunning } from "../resources/long-running.ts";
import {
  exampleParent,
  type NameOperation,
  operationNames,
  OperationStore,
  type StoredOperation,
} from "./operation-store.ts";

/** How many operations a session has at first. All have ended. */
const initialOperations = 3;
const defaultPageSize = 50;
const maxPageSize = 1_000;

function initialName(parent: string, number: number): string {
  return `${parent}/operation-${number}`;
}

type Properties = Readonly<Record<string, unknown>>;

function textIn(request: Message, name: string): string {
  const value = (request as unknown as Properties)[name];
  return typeof value === "string" ? value : "";
}

/** The operation as a message of the contract's own type. */
function messageOf(desc: DescMessage, { name, metadata, ending, isDone }: StoredOperation): Message {
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

/** Page tokens are positions: operations are only added at the end. */
function pageFrom(request: Message): { readonly start: number; readonly size: number } {
  const token = textIn(request, "pageToken");
  const start = token === "" ? 0 : Number(Buffer.from(token, "base64url").toString());
  if (!Number.isInteger(start) || start < 0) throw invalid("page_token", "not a token of this service");
  const asked = Number((request as unknown as Properties)["pageSize"] ?? 0);
  if (asked < 0) throw invalid("page_size", "must not be below zero");
  return { start, size: Math.min(asked === 0 ? defaultPageSize : asked, maxPageSize) };
}

function listed({ output }: Operation, request: Message, store: OperationStore): Message {
  const { start, size } = pageFrom(request);
  const wanted = /^\s*done\s*=\s*(true|false)\s*$/.exec(textIn(request, "filter"))?.[1];
  const all = store
    .below(textIn(request, "name"))
    .filter(({ isDone }) => wanted === undefined || String(isDone) === wanted);
  const answer = create(output) as Message & Record<string, unknown>;
  const desc = output.fields.find(({ name }) => name === "operations")?.message;
  if (desc === undefined) return answer;
  answer["operations"] = all.slice(start, start + size).map((operation) => messageOf(desc, operation));
  if (start + size < all.length) answer["nextPageToken"] = Buffer.from(String(start + size)).toString("base64url");
  return answer;
}

/** The long-running operations of a contract. */
export class OperationMethods {
  readonly #contract: Contract;
  readonly #maker: AnswerMaker;
  readonly #canPoll: boolean;
  readonly #nameOf: NameOperation;
  #initial: readonly StoredOperation[] | undefined;

  constructor(contract: Contract, maker: AnswerMaker) {
    this.#contract = contract;
    this.#maker = maker;
    this.#canPoll = contract.operations.some((operation) => isPolling(operation));
    this.#nameOf = operationNames(contract);
  }

  /** Undefined for a method that starts no operation. */
  startedBy(operation: Operation): LongRunning | undefined {
    return longRunning(this.#contract, operation);
  }

  /** The operations that a new session has, so that a list is not empty. */
  store(): OperationStore {
    this.#initial ??= this.#makeInitial();
    return new OperationStore(this.#initial);
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
          store.end(textIn(request, "name"), { cancelled: true });
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
      const number = store.nextNumber();
      const id = `${snakeCase(operation.method.name).replaceAll("_", "-")}-${number}`;
      const started = store.add({
        name: this.#nameOf(id, request, operation.input),
        metadata: this.#metadata(metadata, crc32(id)),
        ending: { response: anyPack(work.output, response) },
        isDone: !this.#canPoll,
      });
      return messageOf(operation.output, started);
    };
  }

  /** The name in an example request that reads operations: of an initial one, or of them all. Undefined for other requests. */
  exampleName(operation: Operation): string | undefined {
    const { method } = operation;
    if (!isPolling(operation) && !isOfOperations(operation)) return undefined;
    const parent = exampleParent(this.#contract);
    if (method.name === "ListOperations") return parent;
    return initialName(parent, method.name === "DeleteOperation" ? initialOperations : 1);
  }

  #metadata(desc: DescMessage | undefined, seed: number): Any | undefined {
    if (desc === undefined) return undefined;
    return anyPack(desc, this.#maker.message(desc, new Draw([this.#maker.seed, crc32(desc.typeName), seed, 0])));
  }

  #makeInitial(): readonly StoredOperation[] {
    if (!this.#canPoll) return [];
    const parent = exampleParent(this.#contract);
    const [first] = this.#contract.operations.flatMap((operation) => this.startedBy(operation) ?? []);
    return Array.from({ length: initialOperations }, (_, at): StoredOperation => {
      const draw = new Draw([this.#maker.seed, crc32("initial operation"), at, 0]);
      const response = first === undefined ? undefined : this.#maker.message(first.work.output, draw);
      const packed =
        first === undefined || response === undefined
          ? anyPack(EmptySchema, create(EmptySchema))
          : anyPack(first.work.output, response);
      return {
        name: initialName(parent, at + 1),
        metadata: this.#metadata(first?.metadata, at),
        ending: { response: packed },
        isDone: true,
      };
    });
  }
}
