// Somebody who calls as one should, all the time, and counts what goes wrong: what others do to the server must not be felt here.
import { create, type Message } from "@bufbuild/protobuf";
import type { Client } from "@roundtrip/contract";
import { conformanceContract } from "@roundtrip/conformance";
import {
  EchoRequestSchema,
  type EchoResponse,
} from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { connectDefaults, loadConnect } from "@roundtrip/stacks";
import { setTimeout as sleep } from "node:timers/promises";

export interface PoliteCaller {
  /** One call. Rejects when it is not answered, or wrongly. */
  call(): Promise<void>;
  /** Repeats calls until it is stopped. Resolves to the number of answered calls; rejects with the first error. */
  keepCalling(): () => Promise<number>;
  close(): Promise<void>;
}

/** Far more than an answer takes: a server that is busy for so long serves nobody. */
const patienceMs = 8_000;
const pauseMs = 25;

/** Connects at once, so that the connection is there when others take all that are left. */
export async function politeCaller(stackName: string, url: string): Promise<PoliteCaller> {
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
        }
        return answered;
      })();
      // Said when it is asked for.
      calling.catch(() => {});
      return () => {
        over.abort();
        return calling;
      };
    },
    close: () => client.close(),
  };
}
