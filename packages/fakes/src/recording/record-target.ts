// Forwards calls to a real target through any stack's client, and keeps the answers.
import { connect } from "node:net";
import { FakeError } from "../basics/fake-error.ts";
import { toBinary, type Message } from "@bufbuild/protobuf";
import {
  CallError,
  type CallOptions,
  type Client,
  ClientSideError,
  isReservedMetadata,
  keepUnknownFields,
  type Metadata,
  metadataFault,
  type ServerCall,
  type Service,
} from "@roundtrip/contract";
import { sessionMetadataName } from "../basics/names.ts";
import { type Answered, Recording } from "./recording.ts";

const patienceMs = 5_000;

const defaultPorts: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/** Opens a connection to the URL's host, and closes it. Rejects with a FakeError `unreachable` with the reason. */
export async function requireReachable(url: string): Promise<void> {
  const target = URL.parse(url);
  const defaultPort = target === null ? undefined : defaultPorts[target.protocol];
  if (target === null || defaultPort === undefined) {
    throw new FakeError("unreachable", `${url} is not an address of the form http://HOST:PORT or https://HOST:PORT`);
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({
    host: target.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: target.port === "" ? defaultPort : Number(target.port),
    timeout: patienceMs,
  });
  socket.once("connect", resolve);
  socket.once("timeout", () => reject(new Error(`no connection within ${patienceMs / 1_000} s`)));
  socket.once("error", reject);
  try {
    await promise;
  } catch (cause) {
    const reason = cause instanceof AggregateError ? ((cause.errors as Error[])[0] ?? cause) : (cause as Error);
    throw new FakeError("unreachable", `no server answers at ${target.origin}: ${reason.message}`, { cause });
  } finally {
    socket.destroy();
  }
}

/** A service that calls a target. */
export interface RecordedTarget extends Service {
  readonly recording: Recording;
}

/** Longer streams are passed on and not kept, because a part of a stream would be another answer. */
export const maxKeptBytes = 8 * 1024 * 1024;

/** Metadata of this connection only. */
const ours = new RegExp(`^(?:${sessionMetadataName}|proxy-authorization|proxy-authenticate|origin|referer|sec-.*)$`);

/** The metadata for the target: everything from the caller, with credentials. None of it is kept. */
function passedOn(metadata: Metadata): Metadata {
  return new Map([...metadata].filter(([name, value]) => !ours.test(name) && metadataFault(name, value) === undefined));
}

/** @param answered takes the metadata of the answer or error */
export function optionsOf(
  { metadata, signal, leftMs }: ServerCall,
  answered: Pick<Map<string, string>, "set">,
): CallOptions {
  return {
    signal,
    ...(leftMs === undefined ? {} : { timeoutMs: leftMs }),
    metadata: passedOn(metadata),
    onMetadata: (received) => {
      for (const [name, value] of received) if (!isReservedMetadata(name)) answered.set(name, value);
    },
  };
}

/** Whether the error may be the target's. Connection errors and cancellation are not. */
function isAnswer({ code }: CallError, { signal }: ServerCall): boolean {
  return code !== "UNAVAILABLE" && !signal.aborted;
}

/**
 * A service that forwards every call to the client's target, and keeps the answers in its recording.
 * @param onLeftOut called once for each operation and reason why an answer is not recorded
 */
export function recordTarget(client: Client, onLeftOut?: (why: string) => void): RecordedTarget {
  const { contract } = client;
  keepUnknownFields(contract);
  const recording = new Recording(contract, onLeftOut);
  const keep = (answered: Answered, call: ServerCall): void => {
    const { error, operation } = answered;
    if (error instanceof ClientSideError) recording.leaveOut(operation, error);
    else if (error === undefined ? !call.signal.aborted : isAnswer(error, call)) recording.add(answered);
  };

  return {
    contract,
    recording,
    guard: (beside) => beside,
    async call(operation, request, call) {
      const asked = { operation, request };
      try {
        const response = await call.race(client.prepare(operation)(request, optionsOf(call, call.answerMetadata)));
        keep({ ...asked, responses: [response], error: undefined }, call);
        return response;
      } catch (thrown) {
        const error = CallError.from(thrown);
        keep({ ...asked, responses: [], error }, call);
        throw error;
      }
    },
    async *stream(operation, requests, call) {
      let request: Message | undefined;
      let responses: Message[] | undefined = [];
      let keptBytes = 0;
      const keepResponse = (response: Message): void => {
        keptBytes += toBinary(operation.output, response).length;
        if (keptBytes > maxKeptBytes) responses = undefined;
        responses?.push(response);
      };
      const end = (error: CallError | undefined): void => keep({ operation, request, responses, error }, call);
      async function* passed(): AsyncGenerator<Message> {
        for await (const sent of requests) {
          request ??= sent;
          yield sent;
        }
      }
      const isOne = operation.kind === "client_streaming";
      try {
        for await (const response of client.prepareStream(operation)(passed(), optionsOf(call, call.answerMetadata))) {
          keepResponse(response);
          // A caller that expects one answer reads no further.
          if (isOne) end(undefined);
          yield response;
        }
        if (!isOne) end(undefined);
      } catch (thrown) {
        const error = CallError.from(thrown);
        end(error);
        throw error;
      }
    },
  };
}
