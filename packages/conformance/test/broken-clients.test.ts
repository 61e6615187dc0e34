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

/** What a client breaks, how it is made of one that keeps every promise, and the ids of the cases that fail. */
type BrokenClient = readonly [what: string, breaking: (client: Client) => Client, caught: readonly string[]];

const contract = builtInContract();

/** Some cases wait for what a broken client never does. */
const caseLimitMs = 400;

/** Runs the cases with these ids with the broken client; the ids of those that failed, in order. */
async function failedCases(breaking: (client: Client) => Client, ids: readonly string[]): Promise<readonly string[]> {
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
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      typeof value === "string" && key !== "$typeName" ? change(value) : value,
    ]),
  );
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

async function gathered(answers: AsyncIterable<Message>): Promise<Message[]> {
  const all: Message[] = [];
  for await (const answer of answers) all.push(answer);
  return all;
}

function changed(value: unknown, change: (leaf: unknown) => unknown): unknown {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return change(value);
  if (Array.isArray(value)) return value.map((item) => changed(item, change));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, changed(inner, change)]));
}

/** A client whose answers have other values. */
function receivingValues(change: (leaf: unknown) => unknown) {
  return (client: Client): Client => ({
    ...client,
    prepare(operation) {
      const invoke = client.prepare(operation);
      return async (request, options) => changed(await invoke(request, options), change) as Message;
    },
  });
}

const broken: readonly BrokenClient[] = [
  [
    "drops a field of every response",
    receiving((response) => ({ ...response, mail: "" })),
    ["RT-0111", "RT-0112", "RT-0124", "RT-0205", "RT-0211", "RT-0704"],
  ],
  [
    "gives a caller the answer of the one before",
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
    ["RT-0701", "RT-0702", "RT-0105"],
  ],
  [
    "ignores deadlines",
    through(
      (invoke) => (request, options) =>
        invoke(request, options?.signal === undefined ? {} : { signal: options.signal }),
    ),
    ["RT-0502", "RT-0503", "RT-0507"],
  ],
  [
    "ignores the caller's signal",
    through(
      (invoke) => (request, options) =>
        invoke(request, options?.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    ),
    ["RT-0504", "RT-0505"],
  ],
  [
    "applies a deadline at the caller and does not send it to the server",
    through((invoke) => (request, { timeoutMs, ...options } = {}) => {
      if (timeoutMs === undefined) return invoke(request, options);
      const { promise, reject } = Promise.withResolvers<never>();
      setTimeout(() => reject(new CallError("DEADLINE_EXCEEDED", "deadline exceeded")), Math.max(timeoutMs, 0));
      return Promise.race([promise, invoke(request, options)]);
    }),
    ["RT-0502", "RT-0503"],
  ],
  ["fills in a text that nobody gave", sending((request) => ({ name: "", ...request })), ["RT-0409"]],
  [
    "calls every error UNKNOWN",
    failing(({ message, details }) => new CallError("UNKNOWN", message, details)),
    ["RT-0401", "RT-0402", "RT-0404", "RT-0408", "RT-0411", "RT-0426", "RT-0502", "RT-0504", "RT-0601"],
  ],
  [
    "loses the details of errors",
    failing(({ code, message }) => new CallError(code, message)),
    ["RT-0214", "RT-0235", "RT-0306", "RT-0401", "RT-0404", "RT-0405", "RT-0406", "RT-0413", "RT-0433"],
  ],
  [
    "loses the message of errors",
    failing(({ code, details }) => new CallError(code, "", details)),
    ["RT-0413", "RT-0431"],
  ],
  [
    "invents details",
    failing(({ code, message, details }) => new CallError(code, message, { ...details, reason: "BECAUSE" })),
    ["RT-0431", "RT-0401"],
  ],
  [
    "sends the text of an internal error",
    failing((error) => (error.code === "INTERNAL" ? new CallError("INTERNAL", "password=hunter2") : error)),
    ["RT-0432"],
  ],
  [
    "sends no read mask",
    sending((request) => without(request, "readMask")),
    ["RT-0201", "RT-0211", "RT-0213", "RT-0214"],
  ],
  [
    "sends no update mask",
    sending((request) => without(request, "updateMask")),
    ["RT-0221", "RT-0225", "RT-0231", "RT-0233", "RT-0235"],
  ],
  [
    "sends no page token",
    sending((request) => ("pageToken" in request ? { ...request, pageToken: "" } : request)),
    ["RT-0301", "RT-0302", "RT-0306", "RT-0309"],
  ],
  [
    "loses the first customer of a page",
    receiving((response) => {
      const { customers } = response;
      return Array.isArray(customers) ? { ...response, customers: customers.slice(1) } : response;
    }),
    ["RT-0301", "RT-0309"],
  ],
  [
    "sends every call twice",
    through((invoke) => async (request, options) => {
      await invoke(request, options);
      return invoke(request, options);
    }),
    ["RT-0111", "RT-0132"],
  ],
  ["normalises text", receiving((response) => mapText(response, (text) => text.normalize("NFC"))), ["RT-0102"]],
  ["trims text", sending((request) => mapText(request, (text) => text.trim())), ["RT-0104"]],
  [
    "cuts text at a null character",
    receiving((response) => mapText(response, (text) => text.split("\0")[0] ?? "")),
    ["RT-0106"],
  ],
  [
    "cuts large text",
    receiving((response) => mapText(response, (text) => text.slice(0, 65_536))),
    ["RT-0117", "RT-0606"],
  ],
  [
    "takes what is too large for a success",
    through((invoke, { output }) => async (request, options) => {
      try {
        return await invoke(request, options);
      } catch (thrown) {
        if (thrown instanceof CallError && thrown.code === "RESOURCE_EXHAUSTED") return { $typeName: output.typeName };
        throw thrown;
      }
    }),
    ["RT-0418", "RT-0601", "RT-0602", "RT-0603", "RT-0604"],
  ],
  [
    "refuses what is large but within the limit",
    through((invoke) => async (request, options) => {
      const response = await invoke(request, options);
      if (JSON.stringify(response).length > 32_768) throw new CallError("RESOURCE_EXHAUSTED", "too large for me");
      return response;
    }),
    ["RT-0117", "RT-0605", "RT-0606"],
  ],
  [
    "answers several calls in reverse order",
    (client) => ({
      ...client,
      prepareTogether: (operations) => {
        const invoke = client.prepareTogether(operations);
        return async (requests, options) => (await invoke(requests, options)).toReversed();
      },
    }),
    ["RT-0901", "RT-0902", "RT-0904"],
  ],
  [
    "refuses to be closed twice",
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
    ["RT-0806"],
  ],
  [
    "sends no metadata",
    withOptions(({ metadata: _metadata, ...options }) => options),
    ["RT-1001", "RT-1006", "RT-1007", "RT-1009", "RT-1016", "RT-1114", "RT-1402", "RT-1407"],
  ],
  [
    "reports no metadata",
    withOptions(({ onMetadata: _onMetadata, ...options }) => options),
    ["RT-1009", "RT-1011", "RT-1012", "RT-1013", "RT-1014", "RT-1115", "RT-1408"],
  ],
  [
    "adds metadata that nobody sent",
    withOptions(({ onMetadata, ...options }) => ({
      ...options,
      onMetadata: (metadata) => onMetadata?.(new Map([...metadata, ["etag", "1"]])),
    })),
    ["RT-1011", "RT-1012"],
  ],
  [
    "reads large integers as doubles",
    receivingValues((leaf) => (typeof leaf === "bigint" ? BigInt(Number(leaf)) : leaf)),
    ["RT-0143", "RT-0144", "RT-0145", "RT-0172", "RT-1302"],
  ],
  ["forgets the sign of zero", receivingValues((leaf) => (leaf === 0 ? 0 : leaf)), ["RT-0150", "RT-0198"]],
  [
    "reads not-a-number as zero",
    receivingValues((leaf) => (Number.isNaN(leaf) ? 0 : leaf)),
    ["RT-0149", "RT-0198", "RT-1308"],
  ],
  [
    "takes what is empty for absent",
    receivingValues((leaf) => (leaf === "" || leaf === 0n || leaf === false ? undefined : leaf)),
    ["RT-0161", "RT-0167", "RT-0197", "RT-1305"],
  ],
  ["reads unknown colours as none", receivingValues((leaf) => (leaf === 77 ? 0 : leaf)), ["RT-0155"]],
  [
    "loses the last item of every stream",
    streaming(
      (invoke) =>
        async function* lossy(requests, options) {
          const all = await gathered(invoke(requests, options));
          yield* all.slice(0, -1);
        },
    ),
    ["RT-1101", "RT-1104", "RT-1130", "RT-1152"],
  ],
  [
    "gives a stream when it is whole",
    streaming(
      (invoke) =>
        async function* late(requests, options) {
          yield* await gathered(invoke(requests, options));
        },
    ),
    ["RT-1104", "RT-1105", "RT-1110", "RT-1150"],
  ],
  [
    "takes an error for the end of a stream",
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
    ["RT-1105", "RT-1106", "RT-1107", "RT-1108", "RT-1112", "RT-1118", "RT-1133", "RT-1135", "RT-1153"],
  ],
  [
    "goes on reading when its reader has stopped",
    streaming((invoke) => (requests, options) => {
      const iterator = invoke(requests, options)[Symbol.asyncIterator]();
      return { [Symbol.asyncIterator]: () => ({ next: () => iterator.next() }) };
    }),
    ["RT-1110", "RT-1154"],
  ],
];

it.each(broken)("a client that %s is caught", async (_what, breaking, caught) => {
  expect(await failedCases(breaking, caught)).toEqual(caught.toSorted());
});
