// The client of the floor: the first call with a request learns its answer, later calls echo it.
import type { Message } from "@bufbuild/protobuf";
import {
  callerCancelled,
  CallError,
  type CallOptions,
  clientClosed,
  type Invoke,
  type Operation,
  requestToBinary,
  responseFromBinary,
} from "@roundtrip/contract";
import { noStreams, refusedStream, noTogether } from "@roundtrip/styles/client";
import { limitations } from "@roundtrip/styles/floor/client";
import type { Connect, ConnectOptions } from "../../basics/stack.ts";
import { echoRequest, learnRequest, noDeadline } from "../frames.ts";
import { ClientConnection, type ClientConnectionOptions, withDeadlineAndAbort } from "../client-connection.ts";
import { settingsWith } from "../../shared/settings.ts";
import { floorClientSettings } from "../libraries.ts";
import { TlsSessions } from "../../shared/tls.ts";

// The connections of one client: calls use them in turn. Each opens with its first call.

class Connections {
  readonly #options: ClientConnectionOptions;
  readonly #places: number;
  readonly #newPerCall: boolean;
  // By turn. When a connection accepts no more calls, another takes its slot.
  readonly #taking = new Map<number, ClientConnection>();
  readonly #open = new Set<ClientConnection>();
  #turn = 0;
  #isClosed = false;

  constructor(options: ConnectOptions) {
    const { newConnectionPerCall, tlsResumption } = settingsWith(floorClientSettings, options.settings);
    this.#options = { ...options, sessions: tlsResumption ? new TlsSessions() : undefined };
    this.#places = options.connections;
    this.#newPerCall = newConnectionPerCall;
  }

  /** The connection for the next call. Throws CANCELLED once the client is closed. */
  next(): ClientConnection {
    if (this.#isClosed) throw clientClosed();
    const turn = this.#turn;
    this.#turn = turn + 1 < this.#places ? turn + 1 : 0;
    return this.#taking.get(turn) ?? this.#connect(turn);
  }

  /** Refuses new calls, waits for those in flight, then closes every connection. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#open].map((connection) => connection.close()));
  }

  #connect(turn: number): ClientConnection {
    const connection = new ClientConnection(this.#options, () => {
      if (this.#taking.get(turn) === connection) this.#taking.delete(turn);
    });
    this.#taking.set(turn, connection);
    this.#open.add(connection);
    void connection.closed.then(() => this.#open.delete(connection));
    // The connection is for this call only.
    if (this.#newPerCall) connection.retire();
    return connection;
  }
}

interface Learnt {
  readonly frame: Buffer;
  readonly answerBytes: number;
  readonly response: Message;
}

const noOptions: CallOptions = {};

// The server answers an echo at once.
function nothingToGiveUp(): void {}

/** The deadline in whole milliseconds, from 0 to {@link noDeadline}. */
function deadlineIn({ timeoutMs }: CallOptions): number {
  return timeoutMs === undefined ? noDeadline : Math.min(Math.max(Math.ceil(timeoutMs), 0), noDeadline);
}

function echoInvoke(operation: Operation, connections: Connections, echoes: boolean): Invoke {
  // By identity: a request that is modified after it was learnt still gets the old answer.
  const learnt = new WeakMap<Message, Learnt>();

  const learn = (request: Message, options: CallOptions): Promise<Message> =>
    new Promise((resolve, reject) => {
      if (options.signal?.aborted === true) throw callerCancelled();
      const bytes = requestToBinary(operation, request);
      const succeed = (body: Buffer | undefined): void => {
        const answer = body as Buffer;
        try {
          const response = responseFromBinary(operation, new Uint8Array(answer));
          learnt.set(request, { frame: echoRequest(bytes, answer.length), answerBytes: answer.length, response });
          resolve(response);
        } catch (thrown) {
          reject(CallError.from(thrown));
        }
      };
      const connection = connections.next();
      const number = connection.learnRequests;
      const call = withDeadlineAndAbort({ echoBytes: undefined, succeed, fail: reject }, options, () =>
        connection.giveUp(number),
      );
      connection.send(learnRequest(operation.id, bytes, deadlineIn(options)), call);
    });

  const echo = ({ frame, answerBytes, response }: Learnt, options: CallOptions): Promise<Message> =>
    new Promise((resolve, reject) => {
      if (options.signal?.aborted === true) throw callerCancelled();
      const call = { echoBytes: answerBytes, succeed: () => resolve(response), fail: reject };
      connections.next().send(frame, withDeadlineAndAbort(call, options, nothingToGiveUp));
    });

  return (request, options = noOptions) => {
    const known = learnt.get(request);
    return known === undefined || !echoes ? learn(request, options) : echo(known, options);
  };
}

export const connect: Connect = (contract, options) => {
  const connections = new Connections(options);
  const { echoes } = settingsWith(floorClientSettings, options.settings);
  return Promise.resolve({
    contract,
    prepare: (operation) => refusedStream(operation, limitations) ?? echoInvoke(operation, connections, echoes),
    prepareStream: (operation) => noStreams(operation, limitations),
    prepareTogether: noTogether(limitations),
    close: () => connections.close(),
  });
};
