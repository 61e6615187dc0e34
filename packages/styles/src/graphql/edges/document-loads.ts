// The calls behind the edges of one document: batched, each key read once, and limited. Each passes the service's interceptors with the metadata and the
// remaining deadline of the document's request.
import { create, type DescField, type Message, ScalarType } from "@bufbuild/protobuf";
import { CallError, type CanonicalCode, largeIntegers, type Operation, type Service } from "@roundtrip/contract";
import type { BatchLookup, Lookup, ReferenceEdge } from "@roundtrip/contract/resources";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import DataLoader from "dataloader";
import type { GraphQLResolveInfo } from "graphql";
import { maxEdgeCalls, maxEdgeCallsAtOnce, maxEdgeErrors, maxEdgeKeys } from "../documents/document-limits.ts";
import type { ReadMaskOf } from "../schema/read-mask.ts";
import { answersExhausted, type SharedCalls } from "../../shared/http/shared-calls.ts";

/** The service, and which of its methods it has turned out not to have. Shared by all documents of a server. */
export class EdgeService {
  readonly service: Service;
  /** The setting `edgeLoads`. */
  readonly loads: string;
  readonly missing = new Set<string>();

  constructor(service: Service, loads: string) {
    this.service = service;
    this.loads = loads;
  }
}

/** A failed batch with one of these may succeed for some of its keys. */
const aboutOneKey: ReadonlySet<CanonicalCode> = new Set(["NOT_FOUND", "PERMISSION_DENIED", "INVALID_ARGUMENT"]);

/** A key as the property of a message. */
function keyValue(field: DescField, text: string): string | number | bigint {
  if (field.scalar === undefined || field.scalar === ScalarType.STRING) return text;
  if (!largeIntegers.has(field.scalar)) return Number(text);
  return field.fieldKind !== "map" && field.longAsString ? text : BigInt(text);
}

function setField(message: Message, { localName }: DescField, value: unknown): void {
  (message as unknown as Record<string, unknown>)[localName] = value;
}

function property(message: Message, { localName }: DescField): unknown {
  return (message as unknown as Readonly<Record<string, unknown>>)[localName];
}

/** The begin of a name, without its collection and id. */
function parentOf(name: string): string {
  return name.split("/").slice(0, -2).join("/");
}

function chunks<T>(values: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, at) => values.slice(at * size, (at + 1) * size));
}

function beyond(limit: string): CallError {
  return new CallError("RESOURCE_EXHAUSTED", `the edges of the document need more than ${limit}`);
}

const tooManyCalls = beyond(`${maxEdgeCalls} calls`);
const tooManyKeys = beyond(`${maxEdgeKeys} keys and items`);
const beyondLimits: ReadonlySet<unknown> = new Set([tooManyCalls, tooManyKeys, answersExhausted]);

type Answer = Message | CallError;

export class DocumentLoads {
  readonly #server: EdgeService;
  readonly #http: SharedCalls;
  #loaders: Map<string, DataLoader<string, Message>> | undefined;
  #calls = 0;
  #keys = 0;
  #refusals = 0;
  #inFlight = 0;
  /** Continue calls that wait for others to end. */
  readonly #waiting: (() => void)[] = [];

  /** The same function for each key. */
  readonly #refusal = (thrown: unknown): null => this.#refuse(thrown);

  constructor(server: EdgeService, http: SharedCalls) {
    this.#server = server;
    this.#http = http;
  }

  /** Forgets what was read: a mutation may have changed it. */
  forget(): void {
    this.#loaders = undefined;
  }

  /** Begins anew, for the next result of a subscription. */
  restart(): void {
    this.forget();
    this.#http.restart();
    this.#calls = 0;
    this.#keys = 0;
    this.#refusals = 0;
  }

  /** Reads a resource by its key. @param pathsOf the Get's read mask; without paths for all fields */
  load(
    { get, batchGet }: ReferenceEdge,
    key: string,
    pathsOf: ReadMaskOf,
    info: GraphQLResolveInfo,
  ): Promise<Message | null> | null {
    this.#keys += 1;
    if (this.#keys > maxEdgeKeys) return this.#refuse(tooManyKeys);
    const { loads, missing } = this.#server;
    const isBatched = loads === "batched" && batchGet !== undefined && !missing.has(batchGet.operation.id);
    const paths = isBatched ? [] : pathsOf(info);
    const name = paths.length === 0 ? get.operation.id : [get.operation.id, ...paths].join("\0");
    const loaders = (this.#loaders ??= new Map<string, DataLoader<string, Message>>());
    let loader = loaders.get(name);
    if (loader === undefined) {
      const getOne = (text: string): Promise<Answer> => this.#get(get, text, paths);
      loader = new DataLoader<string, Message>(
        isBatched ? (keys) => this.#batch(batchGet, keys, getOne) : (keys) => Promise.all(keys.map(getOne)),
        { cache: loads !== "each" },
      );
      loaders.set(name, loader);
    }
    return loader.load(key).catch(this.#refusal);
  }

  /** Calls a List, unless the keys have run out before its turn. @param items its list in the answer */
  async list(operation: Operation, request: Message, items: DescField): Promise<Message | null> {
    try {
      const answer = await this.#call(operation, request, maxEdgeKeys);
      this.#keys += (property(answer, items) as readonly Message[]).length;
      if (this.#keys > maxEdgeKeys) throw tooManyKeys;
      return answer;
    } catch (thrown) {
      return this.#refuse(thrown);
    }
  }

  /** Throws the error. For what is beyond a limit it does so only a few times, and is null then. */
  #refuse(thrown: unknown): null {
    const isBeyond = beyondLimits.has(thrown);
    if (isBeyond) this.#refusals += 1;
    if (!isBeyond || this.#refusals <= maxEdgeErrors) throw thrown;
    return null;
  }

  /** Rejects with a CallError. @param keys the most that others may have needed when it is this call's turn */
  async #call(operation: Operation, request: Message, keys = Number.POSITIVE_INFINITY): Promise<Message> {
    if (this.#calls === maxEdgeCalls) throw tooManyCalls;
    this.#calls += 1;
    if (this.#inFlight === maxEdgeCallsAtOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#inFlight += 1;
    try {
      if (this.#keys > keys) throw tooManyKeys;
      return await this.#http.answerCall((call) => this.#server.service.call(operation, request, call));
    } finally {
      const next = this.#waiting.shift();
      // The next call takes this place.
      if (next === undefined) this.#inFlight -= 1;
      else next();
    }
  }

  async #get({ operation, key }: Lookup, text: string, paths: readonly string[]): Promise<Answer> {
    const request = create(operation.input);
    setField(request, key, keyValue(key, text));
    if (operation.readMask !== undefined && paths.length > 0) {
      setField(request, operation.readMask, create(FieldMaskSchema, { paths: [...paths] }));
    }
    try {
      return await this.#call(operation, request);
    } catch (thrown) {
      return CallError.from(thrown);
    }
  }

  /** The answers of a BatchGet in the order of the keys. Those that it does not have are got one by one. */
  async #batch(
    batch: BatchLookup,
    keys: readonly string[],
    getOne: (text: string) => Promise<Answer>,
  ): Promise<readonly Answer[]> {
    const groups = batch.parent === undefined ? [keys] : [...Map.groupBy(keys, parentOf).values()];
    const found = new Map<string, Answer>();
    const read = async (part: readonly string[]): Promise<void> => {
      const left = await this.#batchPart(batch, part, found);
      const answers = await Promise.all(left.map(getOne));
      for (const [at, text] of left.entries()) found.set(text, answers[at] as Answer);
    };
    await Promise.all(groups.flatMap((group) => chunks(group, batch.maxKeys)).map(read));
    return keys.map((text) => found.get(text) as Answer);
  }

  /** Adds what one BatchGet has found. Resolves to the keys that it leaves to the Get. */
  async #batchPart(
    { operation, keys: field, parent, items, ownKey }: BatchLookup,
    keys: readonly string[],
    found: Map<string, Answer>,
  ): Promise<readonly string[]> {
    const [first] = keys;
    if (first === undefined || this.#server.missing.has(operation.id)) return keys;
    const request = create(operation.input);
    setField(
      request,
      field,
      keys.map((text) => keyValue(field, text)),
    );
    if (parent !== undefined) setField(request, parent, parentOf(first));
    try {
      const answer = await this.#call(operation, request);
      // Others than those that were asked for do no harm.
      for (const item of property(answer, items) as readonly Message[]) found.set(String(property(item, ownKey)), item);
      return keys.filter((text) => !found.has(text));
    } catch (thrown) {
      const error = CallError.from(thrown);
      if (error.code === "UNIMPLEMENTED") this.#server.missing.add(operation.id);
      if (error.code === "UNIMPLEMENTED" || aboutOneKey.has(error.code)) return keys;
      for (const text of keys) found.set(text, error);
      return [];
    }
  }
}
