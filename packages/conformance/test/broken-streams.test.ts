// More clients that each break one promise, about metadata, values and streams: the cases about that promise fail.
import type { Message } from "@bufbuild/protobuf";
import type { CallOptions, Client, InvokeStream } from "@roundtrip/contract";
import { expect, it } from "vitest";
import { failedCases, type BrokenClient } from "./support/failed-cases.ts";

function without(options: CallOptions, name: keyof CallOptions): CallOptions {
  return Object.fromEntries(Object.entries(options).filter(([key]) => key !== name));
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
function receiving(change: (leaf: unknown) => unknown) {
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
    "sends no metadata",
    withOptions((options) => without(options, "metadata")),
    ["RT-1001", "RT-1006", "RT-1007", "RT-1009", "RT-1016", "RT-1114", "RT-1402", "RT-1407"],
  ],
  [
    "sends no metadata",
    withOptions((options) => without(options, "onMetadata")),
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
    receiving((leaf) => (typeof leaf === "bigint" ? BigInt(Number(leaf)) : leaf)),
    ["RT-0143", "RT-0144", "RT-0145", "RT-0172", "RT-1302"],
  ],
  ["forgets the sign of zero", receiving((leaf) => (leaf === 0 ? 0 : leaf)), ["RT-0150", "RT-0198"]],
  [
    "reads not-a-number as zero",
    receiving((leaf) => (Number.isNaN(leaf) ? 0 : leaf)),
    ["RT-0149", "RT-0198", "RT-1308"],
  ],
  [
    "takes what is empty for absent",
    receiving((leaf) => (leaf === "" || leaf === 0n || leaf === false ? undefined : leaf)),
    ["RT-0161", "RT-0167", "RT-0197", "RT-1305"],
  ],
  ["reads unknown colours as none", receiving((leaf) => (leaf === 77 ? 0 : leaf)), ["RT-0155"]],
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
    ["RT-1105", "RT-1106", "RT-1107", "RT-1108", "RT-1112", "RT-1117", "RT-1118", "RT-1133", "RT-1135", "RT-1153"],
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
