// The suite is worth what it catches: each of these clients breaks one promise, and the cases about that promise fail.
import type { Message } from "@bufbuild/protobuf";
import {
  builtInContract,
  CallError,
  type CallOptions,
  type Client,
  type Invoke,
  type InvokeStream,
  type Operation,
} from "@roundtrip/contract";
import { realService } from "@roundtrip/service";
import { expect, it } from "vitest";
import { conformanceCases, runConformance } from "../src/index.ts";
import { inProcessSubject } from "./support/in-process-subject.ts";

/** Makes a client that breaks a promise of one that keeps them all. */
type Breaking = (client: Client) => Client;

const contract = builtInContract();

/** Some cases wait for what a broken client never does. */
const caseLimitMs = 400;

/** Runs the cases with these ids with the broken client; the ids of those that failed, in order. */
async function failedCases(breaking: Breaking, ids: readonly string[]): Promise<readonly string[]> {
  const results = await runConformance({
    contract,
    subject: inProcessSubject(realService(contract), breaking),
    cases: conformanceCases.filter(({ id }) => ids.includes(id)),
    caseLimitMs,
    onResult: () => {},
  });
  return results.filter(({ status }) => status === "fail").map(({ caseId }) => caseId);
}

type Fields = Record<string, unknown>;

/** A client whose calls go through this. */
function through(breakInvoke: (invoke: Invoke, operation: Operation) => Invoke) {
  return (client: Client): Client => ({
    ...client,
    prepare: (operation) => breakInvoke(client.prepare(operation), operation),
  });
}

/** A client that changes what is sent. */
function sending(change: (request: Fields) => Fields) {
  return through((invoke) => (request, options) => invoke(change({ ...request }) as Message, options));
}

/** A client that changes what is received. */
function receiving(change: (response: Fields) => Fields) {
  return through((invoke) => async (request, options) => {
    return change({ ...(await invoke(request, options)) }) as Message;
  });
}

/** A client that changes errors. */
function failing(change: (error: CallError) => CallError) {
  return through((invoke) => async (request, options) => {
    try {
      return await invoke(request, options);
    } catch (thrown) {
      throw change(CallError.from(thrown));
    }
  });
}

function without(fields: Fields, name: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
}

function mapText(fields: Fields, change: (text: string) => string): Fields {
  const ofField = (key: string, value: unknown): unknown =>
    typeof value === "string" && key !== "$typeName" ? change(value) : value;
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, ofField(key, value)]));
}

/** A client whose calls and streams are made with other options. */
function withOptions(change: (options: CallOptions) => CallOptions) {
  return (client: Client): Client => ({
    ...client,
    prepare(operation) {
      const invoke = client.prepare(operation);
      return (request, options = {}) => invoke(request, change(options));
    },
    prepareStream(operation) {
      const invoke = client.prepareStream(operation);
      return (requests, options = {}) => invoke(requests, change(options));
    },
  });
}

/** A client whose streams go through this. */
function streaming(change: (invoke: InvokeStream) => InvokeStream) {
  return (client: Client): Client => ({
    ...client,
    prepareStream: (operation) => change(client.prepareStream(operation)),
  });
}

function changed(value: unknown, change: (leaf: unknown) => unknown): unknown {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return change(value);
  if (Array.isArray(value)) return value.map((item) => changed(item, change));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, changed(inner, change)]));
}

/** A client whose answers have other values. */
function receivingValues(change: (leaf: unknown) => unknown) {
  return through((invoke) => async (request, options) => changed(await invoke(request, options), change) as Message);
}

/** By what it breaks: the client, and the numbers of the cases that fail. */
const broken: Readonly<Record<string, readonly [breaking: Breaking, caught: string]>> = {
  "drops a field of every response": [
    receiving((response) => ({ ...response, mail: "" })),
    "0111 0112 0124 0205 0211 0704",
  ],
  "gives a caller the answer of the one before": [
    (client) => {
      const last = new Map<string, Promise<Message>>();
      return through((invoke, { id }) => (request, options) => {
        const mine = invoke(request, options);
        mine.catch(() => {});
        const theirs = last.get(id) ?? mine;
        last.set(id, mine);
        return theirs;
      })(client);
    },
    "0105 0701 0702",
  ],
  "ignores deadlines": [withOptions(({ timeoutMs: _timeoutMs, ...options }) => options), "0502 0503 0507"],
  "ignores the caller's signal": [withOptions(({ signal: _signal, ...options }) => options), "0504 0505"],
  "applies a deadline at the caller and does not send it to the server": [
    through((invoke) => (request, { timeoutMs, ...options } = {}) => {
      if (timeoutMs === undefined) return invoke(request, options);
      const { promise, reject } = Promise.withResolvers<never>();
      setTimeout(() => reject(new CallError("DEADLINE_EXCEEDED", "deadline exceeded")), Math.max(timeoutMs, 0));
      return Promise.race([promise, invoke(request, options)]);
    }),
    "0502 0503",
  ],
  "fills in a text that nobody gave": [sending((request) => ({ name: "", ...request })), "0409"],
  "calls every error UNKNOWN": [
    failing(({ message, details }) => new CallError("UNKNOWN", message, details)),
    "0401 0402 0404 0408 0411 0426 0502 0504 0601",
  ],
  "loses the details of errors": [
    failing(({ code, message }) => new CallError(code, message)),
    "0214 0235 0306 0401 0404 0405 0406 0413 0433",
  ],
  "loses the message of errors": [failing(({ code, details }) => new CallError(code, "", details)), "0413 0431"],
  "invents details": [
    failing(({ code, message, details }) => new CallError(code, message, { ...details, reason: "BECAUSE" })),
    "0401 0431",
  ],
  "sends the text of an internal error": [
    failing((error) => (error.code === "INTERNAL" ? new CallError("INTERNAL", "password=hunter2") : error)),
    "0432",
  ],
  "sends no read mask": [sending((request) => without(request, "readMask")), "0201 0211 0213 0214"],
  "sends no update mask": [sending((request) => without(request, "updateMask")), "0221 0225 0231 0233 0235"],
  "sends no page token": [
    sending((request) => ("pageToken" in request ? { ...request, pageToken: "" } : request)),
    "0301 0302 0306 0309",
  ],
  "loses the first customer of a page": [
    receiving((response) => {
      const { customers } = response;
      return Array.isArray(customers) ? { ...response, customers: customers.slice(1) } : response;
    }),
    "0301 0309",
  ],
  "sends every call twice": [
    through((invoke) => async (request, options) => {
      await invoke(request, options);
      return invoke(request, options);
    }),
    "0111 0132",
  ],
  "normalises text": [receiving((response) => mapText(response, (text) => text.normalize("NFC"))), "0102"],
  "trims text": [sending((request) => mapText(request, (text) => text.trim())), "0104"],
  "cuts text at a null character": [
    receiving((response) => mapText(response, (text) => text.split("\0")[0] ?? "")),
    "0106",
  ],
  "cuts large text": [receiving((response) => mapText(response, (text) => text.slice(0, 65_536))), "0117 0606"],
  "takes what is too large for a success": [
    through((invoke, { output }) => async (request, options) => {
      try {
        return await invoke(request, options);
      } catch (thrown) {
        if (thrown instanceof CallError && thrown.code === "RESOURCE_EXHAUSTED") return { $typeName: output.typeName };
        throw thrown;
      }
    }),
    "0418 0601 0602 0603 0604",
  ],
  "refuses what is large but within the limit": [
    through((invoke) => async (request, options) => {
      const response = await invoke(request, options);
      if (JSON.stringify(response).length > 32_768) throw new CallError("RESOURCE_EXHAUSTED", "too large for me");
      return response;
    }),
    "0117 0605 0606",
  ],
  "answers several calls in reverse order": [
    (client) => ({
      ...client,
      prepareTogether: (operations) => {
        const invoke = client.prepareTogether(operations);
        return async (requests, options) => (await invoke(requests, options)).toReversed();
      },
    }),
    "0901 0902 0904",
  ],
  "refuses to be closed twice": [
    (client) => {
      let closed = false;
      return {
        ...client,
        close() {
          if (closed) return Promise.reject(new Error("closed already"));
          closed = true;
          return client.close();
        },
      };
    },
    "0806",
  ],
  "sends no metadata": [
    withOptions(({ metadata: _metadata, ...options }) => options),
    "1001 1006 1007 1009 1016 1114 1402 1407",
  ],
  "reports no metadata": [
    withOptions(({ onMetadata: _onMetadata, ...options }) => options),
    "1009 1011 1012 1013 1014 1115 1408",
  ],
  "adds metadata that nobody sent": [
    withOptions(({ onMetadata, ...options }) => ({
      ...options,
      onMetadata: (metadata) => onMetadata?.(new Map([...metadata, ["etag", "1"]])),
    })),
    "1011 1012",
  ],
  "reads large integers as doubles": [
    receivingValues((leaf) => (typeof leaf === "bigint" ? BigInt(Number(leaf)) : leaf)),
    "0143 0144 0145 0172 1302",
  ],
  "forgets the sign of zero": [receivingValues((leaf) => (leaf === 0 ? 0 : leaf)), "0150 0198"],
  "reads not-a-number as zero": [receivingValues((leaf) => (Number.isNaN(leaf) ? 0 : leaf)), "0149 0198 1308"],
  "takes what is empty for absent": [
    receivingValues((leaf) => (leaf === "" || leaf === 0n || leaf === false ? undefined : leaf)),
    "0161 0167 0197 1305",
  ],
  "reads unknown colours as none": [receivingValues((leaf) => (leaf === 77 ? 0 : leaf)), "0155"],
  "loses the last item of every stream": [
    streaming(
      (invoke) =>
        async function* lossy(requests, options) {
          yield* (await Array.fromAsync(invoke(requests, options))).slice(0, -1);
        },
    ),
    "1101 1104 1130 1152",
  ],
  "gives a stream when it is whole": [
    streaming(
      (invoke) =>
        async function* late(requests, options) {
          yield* await Array.fromAsync(invoke(requests, options));
        },
    ),
    "1104 1105 1110 1150",
  ],
  "takes an error for the end of a stream": [
    streaming(
      (invoke) =>
        async function* deaf(requests, options) {
          try {
            yield* invoke(requests, options);
          } catch {
            // Swallows the error.
          }
        },
    ),
    "1105 1106 1107 1108 1112 1118 1133 1135 1153",
  ],
  "goes on reading when its reader has stopped": [
    streaming((invoke) => (requests, options) => {
      const iterator = invoke(requests, options)[Symbol.asyncIterator]();
      return { [Symbol.asyncIterator]: () => ({ next: () => iterator.next() }) };
    }),
    "1110 1154",
  ],
};

it.each(Object.entries(broken))("a client that %s is caught", async (_what, [breaking, numbers]) => {
  const caught = numbers.split(" ").map((number) => `RT-${number}`);
  expect(await failedCases(breaking, caught)).toEqual(caught);
});
