// The places of calls on HTTP/1.1 connections: a limited number for calls, and one for each stream, with transports of Connect's library.
import type { ConnectError, Transport } from "@connectrpc/connect";
import type { CallError } from "@roundtrip/contract";
import { serverUnavailable } from "@roundtrip/styles/client";
import type { Agent, ClientRequest } from "node:http";
import { CallsInFlight } from "../calls.ts";
import { openAgent, type AgentOptions } from "../undici/open-agent.ts";
import type { CallSlot, CallSlots } from "./client-call.ts";

interface SlotCall {
  request: ClientRequest | undefined;
}

/** Node.js calls this for each request; agents of other libraries replace it too. */
interface RequestAgent {
  addRequest(request: ClientRequest, options: unknown): void;
}

interface OnAgent {
  readonly agent: Agent;
  readonly transport: Transport;
  /** The call that the library is about to make: it makes its request in the same turn. */
  beginning: SlotCall | undefined;
}

function onAgent(agent: Agent, transportOn: (agent: Agent) => Transport): OnAgent {
  const slot: OnAgent = { agent, transport: transportOn(agent), beginning: undefined };
  const requests = agent as unknown as RequestAgent;
  const addRequest = requests.addRequest.bind(agent);
  requests.addRequest = (request, options) => {
    if (slot.beginning !== undefined) slot.beginning.request = request;
    slot.beginning = undefined;
    addRequest(request, options);
  };
  return slot;
}

/** Whether an error is one of Node.js, or has one as its cause. */
function nodeErrorIn(error: ConnectError): Error | undefined {
  for (let cause: unknown = error.cause; cause instanceof Error; cause = cause.cause) {
    if (typeof (cause as NodeJS.ErrnoException).code === "string") return cause;
  }
  return undefined;
}

class Http1CallSlot implements CallSlot {
  /** Requests over HTTP/1.1 are never refused without an answer. */
  readonly isRefused = false;
  readonly transport: Transport;
  readonly #call: SlotCall = { request: undefined };
  readonly #origin: string;
  readonly #calls: CallsInFlight;

  constructor(slot: OnAgent, origin: string, calls: CallsInFlight) {
    this.transport = slot.transport;
    slot.beginning = this.#call;
    this.#origin = origin;
    this.#calls = calls;
  }

  end(): void {
    const { request } = this.#call;
    // If the answer is complete before the request, nothing can use the connection any more.
    if (request !== undefined && !request.writableFinished) request.destroy();
    this.#calls.end();
  }

  lossOf(error: ConnectError): CallError | undefined {
    const cause = nodeErrorIn(error);
    if (cause !== undefined) return serverUnavailable(this.#origin, cause);
    return error.rawMessage.includes("missing EndStreamResponse")
      ? serverUnavailable(this.#origin, "the stream broke off")
      : undefined;
  }
}

export interface Http1Slots extends CallSlots {
  /** Refuses new calls, waits for those in flight, then closes every connection. May be called twice. */
  close(): Promise<void>;
}

/** @param transportOn makes a transport on the connections of an agent. */
export function http1Slots(url: URL, options: AgentOptions, transportOn: (agent: Agent) => Transport): Http1Slots {
  const calls = new CallsInFlight();
  const ofCalls = onAgent(openAgent(url, options), transportOn);
  const ofStreams = onAgent(openAgent(url, { ...options, connections: null }), transportOn);
  return {
    begin({ kind }) {
      calls.begin();
      return new Http1CallSlot(kind === "unary" ? ofCalls : ofStreams, url.origin, calls);
    },
    close: () =>
      calls.close(() => {
        ofCalls.agent.destroy();
        ofStreams.agent.destroy();
      }),
  };
}
