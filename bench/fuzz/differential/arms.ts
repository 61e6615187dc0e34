// The same service on every stack that carries a style, each called through its own client over a real socket.
import type { Message } from "@bufbuild/protobuf";
import {
  CallError,
  ServerCall,
  type Contract,
  type Handler,
  type Invoke,
  type Operation,
  type Service,
} from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { connectDefaults, loadConnect, loadServe, loadStack, serveDefaults, stackNames } from "@roundtrip/stacks";
import { messageLines } from "./message-lines.ts";
import type { Sample } from "./sample.ts";

/** What came of one call, as lines: what the handler heard, and what the caller was told. */
export type Outcome = ReadonlyMap<string, string>;

/** One stack that serves the contract. */
export interface Arm {
  readonly stackName: string;
  /** One call at a time. */
  ask(sample: Sample): Promise<Outcome>;
  close(): Promise<void>;
}

/** Longer than any machine takes: who does not answer at all is told from who is slow. */
const patienceMs = 20_000;

function errorLines(error: CallError): [string, string][] {
  const { reason, domain, metadata, violations } = error.details;
  return [
    ["error", error.code],
    ["error.message", JSON.stringify(error.message)],
    ["error.reason", reason],
    ["error.domain", domain],
    ...Object.entries(metadata).map(([key, value]): [string, string] => [
      `error.metadata[${JSON.stringify(key)}]`,
      JSON.stringify(value),
    ]),
    ...violations.map((violation, index): [string, string] => [
      `error.violations[${index}]`,
      JSON.stringify(violation),
    ]),
  ];
}

type Ask = (operation: Operation) => Invoke;

/** An arm around a way to call: notes what the handler hears, and lets it reply what the sample says. */
async function armOf(
  stackName: string,
  contract: Contract,
  start: (service: Service) => Promise<{ readonly prepare: Ask; readonly close: () => Promise<void> }>,
): Promise<Arm> {
  const { registry } = contract;
  let heard: Message | undefined;
  let reply: Sample["reply"] = new CallError("INTERNAL", "a call that nobody made");
  const handler: Handler = (request) => {
    heard = request;
    if (reply instanceof CallError) throw reply;
    return reply;
  };
  const service = serviceOf(contract, new Map(contract.operations.map(({ id }) => [id, handler])));
  const { prepare, close } = await start(service);
  const invokes = new Map<Operation, Invoke>();
  return {
    stackName,
    close,
    async ask(sample) {
      const { operation, request } = sample;
      heard = undefined;
      ({ reply } = sample);
      let told: Iterable<[string, string]>;
      try {
        const invoke = invokes.get(operation) ?? prepare(operation);
        invokes.set(operation, invoke);
        told = messageLines("answer", operation.output, await invoke(request, { timeoutMs: patienceMs }), registry);
      } catch (thrown) {
        const unexpected = () => new CallError("UNKNOWN", `no CallError: ${String(thrown)}`);
        told = errorLines(thrown instanceof CallError ? thrown : unexpected());
      }
      const lines = heard === undefined ? [] : messageLines("request", operation.input, heard, registry);
      return new Map([...lines, ...told]);
    },
  };
}

/** The service called without any transport: what every stack is held against. */
export function referenceArm(contract: Contract): Promise<Arm> {
  return armOf("reference", contract, (service) => {
    const prepare: Ask = (operation) => async (request) =>
      service.call(operation, request, new ServerCall(undefined, new Map()));
    return Promise.resolve({ prepare, close: () => Promise.resolve() });
  });
}

async function stackArm(stackName: string, contract: Contract): Promise<Arm> {
  const serve = await loadServe(stackName);
  const connect = await loadConnect(stackName);
  return armOf(stackName, contract, async (service) => {
    const server = await serve(service, { ...serveDefaults, shutdownGraceMs: 100 });
    const client = await connect(contract, { ...connectDefaults, url: server.url });
    const close = async (): Promise<void> => {
      await client.close();
      await server.close();
    };
    return { prepare: (operation) => client.prepare(operation), close };
  });
}

/** Serves the contract on every stack that is a style. */
export async function stackArms(contract: Contract): Promise<readonly Arm[]> {
  const stacks = await Promise.all(stackNames().map((name) => loadStack(name)));
  const arms: Arm[] = [];
  try {
    for (const { name, role } of stacks) if (role === "style") arms.push(await stackArm(name, contract));
  } catch (thrown) {
    await Promise.all(arms.map((arm) => arm.close()));
    throw thrown;
  }
  return arms;
}
