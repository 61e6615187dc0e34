// The requests of a log as calls of a contract: how often each operation was called, with which requests, and what is no call.
import { fromJson, type JsonValue, type Message } from "@bufbuild/protobuf";
import { CallError, type Contract, type Operation } from "@roundtrip/contract";
import { StyleError } from "@roundtrip/styles/names";
import {
  loadLoggedCalls,
  styleNames,
  type LoggedCall,
  type LoggedRequest,
  type ReadLoggedRequest,
} from "@roundtrip/styles";
import type { CallEntry, HttpEntry, LogEntry } from "./log-entry.ts";
import { RequestSample } from "./request-sample.ts";
import { reasonOf, UnmappedRequests } from "./unmapped-requests.ts";
import { RequestWriter } from "./written-request.ts";

/** The times of so many requests are 40 MB. */
const mostEntries = 5_000_000;

export interface OperationUse {
  readonly operation: Operation;
  readonly sample: RequestSample;
}

function withoutBase({ target, ...rest }: LoggedRequest, base: string): LoggedRequest {
  const isBelow = base !== "" && (target === base || target.startsWith(`${base}/`) || target.startsWith(`${base}?`));
  const below = isBelow ? target.slice(base.length) : target;
  return { ...rest, target: below.startsWith("/") ? below : `/${below}` };
}

export class LoggedRequests {
  readonly #contract: Contract;
  readonly #readers: readonly ReadLoggedRequest[];
  readonly #basePath: string;
  readonly #uses = new Map<Operation, RequestSample>();
  readonly #ids: ReadonlyMap<string, Operation>;
  readonly writer: RequestWriter;
  readonly unmapped = new UnmappedRequests();
  /** Of mapped requests that have one, in milliseconds since 1970. */
  readonly timesMs: number[] = [];
  readonly counts = {
    /** Requests so far. */
    entries: 0,
    /** Requests whose answer was an error. */
    failed: 0,
    /** Requests that are calls. */
    mapped: 0,
  };

  private constructor(contract: Contract, readers: readonly ReadLoggedRequest[], basePath: string) {
    this.#contract = contract;
    this.#readers = readers;
    this.#basePath = basePath.replace(/\/+$/, "");
    this.#ids = new Map(contract.operations.map((operation) => [operation.id, operation]));
    this.writer = new RequestWriter(contract);
  }

  /** @param basePath comes before the paths of the contract in the log; empty for none. */
  static async of(contract: Contract, basePath: string): Promise<LoggedRequests> {
    const readers = await Promise.all(styleNames().map((style) => loadLoggedCalls(style)));
    const made = readers.flatMap((reader) => (reader === undefined ? [] : [reader(contract)]));
    return new LoggedRequests(contract, made, basePath);
  }

  /** Whether no further request is taken. */
  get isFull(): boolean {
    return this.counts.entries >= mostEntries;
  }

  /** Most frequent first. */
  get uses(): readonly OperationUse[] {
    return [...this.#uses]
      .map(([operation, sample]) => ({ operation, sample }))
      .toSorted((a, b) => b.sample.count - a.sample.count || a.operation.id.localeCompare(b.operation.id));
  }

  async add(entry: LogEntry): Promise<void> {
    this.counts.entries += 1;
    if (entry.kind === "call") this.#addCall(entry);
    else await this.#addHttp(entry);
  }

  async #addHttp({ atMs, request, isAnswered }: HttpEntry): Promise<void> {
    const { method, target } = request;
    try {
      const calls = await this.#callsOf(withoutBase(request, this.#basePath));
      if (calls.length === 0) this.unmapped.add(method, target);
      else if (calls.some(({ operation }) => operation.kind === "bidi_streaming")) {
        this.unmapped.add(method, target, "it streams both ways, which no task does");
      } else if (!isAnswered) this.counts.failed += 1;
      else this.#note(calls, atMs);
    } catch (thrown) {
      if (!(thrown instanceof CallError || thrown instanceof StyleError)) throw thrown;
      if (isAnswered) this.unmapped.add(method, target, reasonOf(thrown));
      else this.counts.failed += 1;
    }
  }

  /** The calls of the style that can read all of them, otherwise of the first that knows the path. */
  async #callsOf(request: LoggedRequest): Promise<readonly LoggedCall[]> {
    let found: readonly LoggedCall[] = [];
    let fault: CallError | StyleError | undefined;
    for (const read of this.#readers) {
      try {
        const calls = await read(request);
        if (calls.length > 0 && calls.every(({ isWhole }) => isWhole)) return calls;
        if (found.length === 0) found = calls;
      } catch (thrown) {
        if (!(thrown instanceof CallError || thrown instanceof StyleError)) throw thrown;
        fault ??= thrown;
      }
    }
    if (found.length === 0 && fault !== undefined) throw fault;
    return found;
  }

  #addCall({ atMs, operation: id, request: json, isAnswered, lacksSecrets }: CallEntry): void {
    const operation = this.#ids.get(id);
    if (operation === undefined) this.unmapped.add("CALL", `/${id}`, "the contract has no such operation");
    else if (!isAnswered) this.counts.failed += 1;
    else if (operation.kind === "bidi_streaming") {
      this.unmapped.add("CALL", `/${id}`, "it streams both ways, which no task does");
    } else {
      const request = json === undefined ? undefined : this.#message(operation, json);
      this.#note([{ operation, request, isWhole: request !== undefined }], atMs, lacksSecrets);
    }
  }

  #message({ input }: Operation, json: JsonValue): Message | undefined {
    try {
      return fromJson(input, json, { registry: this.#contract.registry, ignoreUnknownFields: true });
    } catch {
      return undefined;
    }
  }

  #note(calls: readonly LoggedCall[], atMs: number, lacksSecrets = false): void {
    this.counts.mapped += 1;
    if (!Number.isNaN(atMs)) this.timesMs.push(atMs);
    for (const call of calls) {
      const { operation, request, isWhole } = call;
      const sample = this.#uses.get(operation) ?? new RequestSample(operation.id);
      this.#uses.set(operation, sample);
      sample.add(isWhole ? "all" : request === undefined ? "nothing" : "a part", () =>
        this.writer.write(call, lacksSecrets),
      );
    }
  }
}
