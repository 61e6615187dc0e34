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

/** A number where all fields with the key are numbers, and text otherwise. */
export type Key = string | number;

/** A key as the property of a message. */
function keyValue(field: DescField, text: Key): string | number | bigint {
  if (typeof text === "number" || field.scalar === undefined || field.scalar === ScalarType.STRING) return text;
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
function parentOf(name: Key): string {
  return String(name).split("/").slice(0, -2).join("/");
}

/** What a BatchGet answered, in the order of the keys, as most do. Others than those that were asked for do no harm. */
function inOrder(items: readonly Message[], ownKey: DescField, keys: readonly Key[]): readonly (Message | undefined)[] {
  const keyOf = (item: Message): unknown =>
    typeof keys[0] === "number" ? property(item, ownKey) : String(property(item, ownKey));
  if (items.length === keys.length && items.every((item, at) => keyOf(item) === keys[at])) return items;
  const found = new Map(items.map((item) => [keyOf(item), item]));
  return keys.map((key) => found.get(key));
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

/** Null: refused, like too many before it. */
type Answer = Message | CallError | null;

/** Reads keys in batches. */
interface Loader {
  readonly batches: DataLoader<Key, Message | null>;
  /** What each key gave, to read it once; undefined if it is read for each use. */
  readonly known: Map<Key, Promise<Message | null>> | undefined;
}

export class DocumentLoads {
  readonly #server: EdgeService;
  readonly #http: SharedCalls;
  #loaders: Map<string, Loader> | undefined;
  #calls = 0;
  #keys = 0;
  #refusals = 0;
  #inFlight = 0;
  /** Continue calls that wait for others to end. */
  readonly #waiting: (() => void)[] = [];

  /** The next call takes the place of one that has ended. */
  readonly #giveTurn = (): void => {
    const next = this.#waiting.shift();
    if (next === undefined) this.#inFlight -= 1;
    else next();
  };

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
    key: Key,
    pathsOf: ReadMaskOf,
    info: GraphQLResolveInfo,
  ): Promise<Message | null> | null {
    this.#keys += 1;
    if (this.#keys > maxEdgeKeys) return this.#refuse(tooManyKeys);
    const { loads, missing } = this.#server;
    const isBatched = loads === "batched" && batchGet !== undefined && !missing.has(batchGet.operation.id);
    const paths = isBatched ? [] : pathsOf(info);
    const name = paths.length === 0 ? get.operation.id : [get.operation.id, ...paths].join("\0");
    const loaders = (this.#loaders ??= new Map<string, Loader>());
    let loader = loaders.get(name);
    if (loader === undefined) {
      const getByKey = (text: Key): Promise<Answer> => this.#get(get, text, paths);
      const batches = new DataLoader<Key, Message | null>(
        isBatched ? (keys) => this.#batch(batchGet, keys, getByKey) : (keys) => Promise.all(keys.map(getByKey)),
        { cache: false },
      );
      loader = { batches, known: loads === "each" ? undefined : new Map() };
      loaders.set(name, loader);
    }
    const known = loader.known?.get(key);
    if (known !== undefined) return known.catch(this.#refusal);
    const loaded = loader.batches.load(key);
    loader.known?.set(key, loaded);
    return loaded;
  }

  /** Calls a List, unless the keys have run out before its turn. Throws or rejects. @param items its list in the answer */
  list(operation: Operation, request: Message, items: DescField): Message | null | Promise<Message | null> {
    try {
      const answer = this.#call(operation, request, maxEdgeKeys);
      if (!(answer instanceof Promise)) return this.#counted(answer, items);
      return answer.then((listed) => this.#counted(listed, items)).catch(this.#refusal);
    } catch (thrown) {
      return this.#refuse(thrown);
    }
  }

  #counted(answer: Message, items: DescField): Message {
    this.#keys += (property(answer, items) as readonly Message[]).length;
    if (this.#keys > maxEdgeKeys) throw tooManyKeys;
    return answer;
  }

  /** Throws the error. For what is beyond a limit it does so only a few times, and is null then. */
  #refuse(thrown: unknown): null {
    const isBeyond = beyondLimits.has(thrown);
    if (isBeyond) this.#refusals += 1;
    if (!isBeyond || this.#refusals <= maxEdgeErrors) throw thrown;
    return null;
  }

  /** The error of one key; null beyond a limit, after a few. Not a function of promises, since each takes time. */
  #failed(error: CallError): Answer {
    try {
      return this.#refuse(error);
    } catch {
      return error;
    }
  }

  /** Throws or rejects with a CallError. Only calls that are not answered at once take a turn. @param keys the most that may be needed by then */
  #call(operation: Operation, request: Message, keys = Number.POSITIVE_INFINITY): Message | Promise<Message> {
    if (this.#calls === maxEdgeCalls) throw tooManyCalls;
    this.#calls += 1;
    if (this.#inFlight === maxEdgeCallsAtOnce) return this.#callInTurn(operation, request, keys);
    const answer = this.#answer(operation, request, keys);
    if (!(answer instanceof Promise)) return answer;
    this.#inFlight += 1;
    return answer.finally(this.#giveTurn);
  }

  async #callInTurn(operation: Operation, request: Message, keys: number): Promise<Message> {
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await this.#answer(operation, request, keys);
    } finally {
      this.#giveTurn();
    }
  }

  #answer(operation: Operation, request: Message, keys: number): Message | Promise<Message> {
    if (this.#keys > keys) throw tooManyKeys;
    return this.#http.answerCall((call) => this.#server.service.call(operation, request, call));
  }

  async #get({ operation, key }: Lookup, text: Key, paths: readonly string[]): Promise<Answer> {
    const request = create(operation.input);
    setField(request, key, keyValue(key, text));
    if (operation.readMask !== undefined && paths.length > 0) {
      setField(request, operation.readMask, create(FieldMaskSchema, { paths: [...paths] }));
    }
    try {
      return await this.#call(operation, request);
    } catch (thrown) {
      return this.#failed(CallError.from(thrown));
    }
  }

  /** The answers of BatchGets in the order of the keys. Those that they do not have are got one by one. */
  async #batch(
    batch: BatchLookup,
    keys: readonly Key[],
    getByKey: (key: Key) => Promise<Answer>,
  ): Promise<readonly Answer[]> {
    const read = async (part: readonly Key[]): Promise<readonly Answer[]> => {
      const answers = await this.#batchPart(batch, part);
      if (!answers.includes(undefined)) return answers as readonly Answer[];
      return Promise.all(
        answers.map(async (answer, at) => (answer === undefined ? await getByKey(part[at] as Key) : answer)),
      );
    };
    const groups = batch.parent === undefined ? [keys] : [...Map.groupBy(keys, parentOf).values()];
    const parts = groups.flatMap((group) => chunks(group, batch.maxKeys));
    if (parts.length === 1) return read(keys);
    const found = await Promise.all(parts.map(read));
    const answers = new Map(parts.flatMap((part, of) => part.map((key, at) => [key, found[of]?.[at]])));
    return keys.map((key) => answers.get(key) as Answer);
  }

  /** What one BatchGet finds, in the order of the keys; undefined for what it leaves to the Get. */
  async #batchPart(
    { operation, keys: field, parent, items, ownKey }: BatchLookup,
    keys: readonly Key[],
  ): Promise<readonly (Answer | undefined)[]> {
    const none = keys.map(() => undefined);
    const [first] = keys;
    if (first === undefined || this.#server.missing.has(operation.id)) return none;
    const request = create(operation.input);
    setField(
      request,
      field,
      keys.map((text) => keyValue(field, text)),
    );
    if (parent !== undefined) setField(request, parent, parentOf(first));
    try {
      const answer = await this.#call(operation, request);
      return inOrder(property(answer, items) as readonly Message[], ownKey, keys);
    } catch (thrown) {
      const error = CallError.from(thrown);
      if (error.code === "UNIMPLEMENTED") this.#server.missing.add(operation.id);
      if (error.code === "UNIMPLEMENTED" || aboutOneKey.has(error.code)) return none;
      return keys.map(() => this.#failed(error));
    }
  }
}
