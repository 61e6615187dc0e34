// The thread of clients that make valid calls while others attack their server. It is one of its own because an attack may keep its event loop busy for
// longer than a server waits for the rest of a request, or keeps an idle connection.
import { create, type Message } from "@bufbuild/protobuf";
import type { Client } from "@roundtrip/contract";
import { conformanceContract } from "@roundtrip/conformance";
import {
  EchoRequestSchema,
  type EchoResponse,
} from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { connectDefaults, loadConnect } from "@roundtrip/stacks";
import { setTimeout as sleep } from "node:timers/promises";

/** Far longer than any answer takes, also where a dozen other servers are attacked on the same two cores. */
const patienceMs = 30_000;
const pauseMs = 25;

class Caller {
  readonly #client: Client;
  readonly #echo;
  #isStopped = false;
  #calls = 0;

  constructor(client: Client) {
    this.#client = client;
    this.#echo = client.prepare(conformanceContract().operation("roundtrip.conformance.v1.ConformanceService.Echo"));
  }

  async call(): Promise<void> {
    const text = `polite ${(this.#calls += 1)}`;
    const request: Message = create(EchoRequestSchema, { values: { presence: { text } } });
    const answer = (await this.#echo(request, { timeoutMs: patienceMs })) as EchoResponse;
    if (answer.values?.presence?.text !== text) throw new Error(`a polite call heard somebody else's answer: ${text}`);
  }

  async keepCalling(): Promise<number> {
    this.#isStopped = false;
    let answered = 0;
    for (; !this.#isStopped; answered += 1) {
      await this.call();
      await sleep(pauseMs);
    }
    return answered;
  }

  stop(): void {
    this.#isStopped = true;
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

const callers = new Map<number, Caller>();

function callerOf(id: number): Caller {
  const caller = callers.get(id);
  if (caller === undefined) throw new Error(`no caller ${id} is open`);
  return caller;
}

/** Connects a caller of this number, with a first call. */
export async function open({
  id,
  stackName,
  url,
}: {
  readonly id: number;
  readonly stackName: string;
  readonly url: string;
}): Promise<void> {
  const caller = new Caller(await (await loadConnect(stackName))(conformanceContract(), { ...connectDefaults, url }));
  callers.set(id, caller);
  await caller.call();
}

export function call(id: number): Promise<void> {
  return callerOf(id).call();
}

/** Resolves to the number of answered calls once the caller is stopped. Rejects with the first error. */
export function keepCalling(id: number): Promise<number> {
  return callerOf(id).keepCalling();
}

export function stop(id: number): void {
  callerOf(id).stop();
}

export async function close(id: number): Promise<void> {
  await callerOf(id).close();
  callers.delete(id);
}
