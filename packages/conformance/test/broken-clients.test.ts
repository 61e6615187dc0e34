// The suite is worth what it catches: each of these clients breaks one promise, and the cases about that promise fail.
import type { Message } from "@bufbuild/protobuf";
import { CallError, type Client, type Invoke, type Operation } from "@roundtrip/contract";
import { expect, it } from "vitest";
import { failedCases, type BrokenClient } from "./support/failed-cases.ts";

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
    ["RT-0401", "RT-0402", "RT-0404", "RT-0408", "RT-0411", "RT-0426", "RT-0502", "RT-0504", "RT-0601", "RT-0802"],
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
    failing((error) => new CallError(error.code, error.cause instanceof Error ? error.cause.message : error.message)),
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
];

it.each(broken)("a client that %s is caught", async (_what, breaking, caught) => {
  expect(await failedCases(breaking, caught)).toEqual(caught.toSorted());
});
