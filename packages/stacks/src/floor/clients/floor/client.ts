// The client of the floor: the first call with a request learns its answer, later calls echo it.
import type { Message } from "@bufbuild/protobuf";
import {
  CallError,
  callerCancelled,
  requestToBinary,
  responseFromBinary,
  type CallOptions,
  type Invoke,
  type Operation,
} from "@roundtrip/contract";
import { unsupportedFeature, noStreams, refusedStream } from "@roundtrip/styles/client";
import type { Connect } from "../../../basics/stack.ts";
import { Connections } from "./connections.ts";
import { echoRequest, learnRequest, noDeadline } from "../../frames.ts";
import { limitations } from "@roundtrip/styles/floor/client";
import { withDeadlineAndAbort } from "./pending-call.ts";

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

function echoInvoke(operation: Operation, connections: Connections): Invoke {
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
    return known === undefined ? learn(request, options) : echo(known, options);
  };
}

export const connect: Connect = (contract, options) => {
  const connections = new Connections(options);
  return Promise.resolve({
    contract,
    prepare: (operation) => refusedStream(operation, limitations) ?? echoInvoke(operation, connections),
    prepareStream: (operation) => noStreams(operation, limitations),
    prepareTogether: () => {
      throw unsupportedFeature(limitations, "together");
    },
    close: () => connections.close(),
  });
};
