// A client that repeats calls until one fails; attacks on the server must not make one fail.
import { create, type Message } from "@bufbuild/protobuf";
import type { Client } from "@roundtrip/contract";
import { conformanceContract } from "@roundtrip/conformance";
import {
  EchoRequestSchema,
  type EchoResponse,
} from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { connectDefaults, loadConnect } from "@roundtrip/stacks";
import { setImmediate as eventsHandled, setTimeout as sleep } from "node:timers/promises";

export interface WellBehavedCaller {
  /** Makes one call. Rejects if it gets no answer, or a wrong one. */
  call(): Promise<void>;
  /** Repeats calls until the returned function stops it. That function resolves to the number of answered calls, or rejects with the first error. */
  keepCalling(): () => Promise<number>;
  close(): Promise<void>;
}

/** Far longer than any answer takes, also where a dozen other servers are attacked on the same two cores. */
const patienceMs = 30_000;
const pauseMs = 25;

/** Makes a first call at once, so that it has its connection before attacks use up all others. */
export async function wellBehavedCaller(stackName: string, url: string): Promise<WellBehavedCaller> {
  const contract = conformanceContract();
  const client: Client = await (await loadConnect(stackName))(contract, { ...connectDefaults, url });
  const echo = client.prepare(contract.operation("roundtrip.conformance.v1.ConformanceService.Echo"));
  let calls = 0;
  const call = async (): Promise<void> => {
    const text = `polite ${(calls += 1)}`;
    const request: Message = create(EchoRequestSchema, { values: { presence: { text } } });
    const answer = (await echo(request, { timeoutMs: patienceMs })) as EchoResponse;
    if (answer.values?.presence?.text !== text) throw new Error(`a polite call heard somebody else's answer: ${text}`);
  };
  await call();
  return {
    call,
    keepCalling() {
      const over = new AbortController();
      const calling = (async () => {
        let answered = 0;
        for (; !over.signal.aborted; answered += 1) {
          await call();
          await sleep(pauseMs);
          // Attacks in this process may have taken longer than a server keeps an idle connection: let the client notice that one was closed.
          await eventsHandled();
        }
        return answered;
      })();
      // The error is reported when the caller stops the calls.
      calling.catch(() => {});
      return () => {
        over.abort();
        return calling;
      };
    },
    close: () => client.close(),
  };
}
