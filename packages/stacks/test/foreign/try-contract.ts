// Calls every operation of a contract on a stack, with every field set in request and answer, and tells what is not as it should be.
import { create, equals, toJsonString, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import {
  CallError,
  type Client,
  type Contract,
  type Handler,
  type Handlers,
  type Operation,
  type StreamHandler,
} from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { connectDefaults, loadConnect, loadServe, loadStack, serveDefaults, type Stack } from "../../src/index.ts";
import { filledMessage, filledRequest } from "./filled-message.ts";

/** The depths to which messages are filled; undefined is only what must be given. */
const depths = [3, 1, 0, undefined] as const;

interface Expected {
  readonly request: Message;
  readonly answer: Message;
  readonly seen: Message[];
}

async function collect(messages: AsyncIterable<Message>): Promise<readonly Message[]> {
  const all: Message[] = [];
  for await (const message of messages) all.push(message);
  return all;
}

async function* both(request: Message): AsyncGenerator<Message> {
  yield request;
  yield request;
}

function handlersFor(contract: Contract, now: () => Expected): Handlers {
  return new Map(
    contract.operations.map((operation): [string, Handler | StreamHandler] => {
      if (operation.kind === "unary") {
        const answer: Handler = (request) => {
          now().seen.push(request);
          return now().answer;
        };
        return [operation.id, answer];
      }
      const stream: StreamHandler = async function* (requests) {
        for await (const request of requests) now().seen.push(request);
        yield now().answer;
        if (operation.kind !== "client_streaming") yield now().answer;
      };
      return [operation.id, stream];
    }),
  );
}

async function answersOf(client: Client, operation: Operation, request: Message): Promise<readonly Message[]> {
  if (operation.kind === "unary") return [await client.prepare(operation)(request)];
  const takesOne = operation.kind === "server_streaming";
  return collect(client.prepareStream(operation)(takesOne ? [request] : both(request)));
}

/** What a call at one depth shows; empty when all arrived. */
async function faultAt(client: Client, operation: Operation, expected: Expected, contract: Contract): Promise<string> {
  const { input, output, id } = operation;
  const json = (desc: typeof input, message: Message): string =>
    toJsonString(desc, message, { registry: contract.registry });
  try {
    const answers = await answersOf(client, operation, expected.request);
    const { request, answer, seen } = expected;
    const other = seen.find((one) => !equals(input, one, request));
    if (other !== undefined) return `${id}: the request ${json(input, request)} arrived as ${json(input, other)}`;
    if (seen.length === 0) return `${id}: no request arrived`;
    const wrong = answers.find((one) => !equals(output, one, answer));
    if (wrong !== undefined) return `${id}: the answer ${json(output, answer)} arrived as ${json(output, wrong)}`;
    return answers.length === 0 ? `${id}: no answer` : "";
  } catch (thrown) {
    if (!(thrown instanceof CallError)) throw thrown;
    return `${id}: ${thrown.code} ${thrown.message}`;
  }
}

/** True for an operation that the stack says it has no way to carry. */
function isNotCarried(stack: Stack, { kind }: Operation): boolean {
  const feature = {
    unary: "",
    server_streaming: "serverStream",
    client_streaming: "clientStream",
    bidi_streaming: "bidiStream",
  }[kind];
  return stack.limitations.some((limitation) => limitation.feature === feature);
}

/** Of an answer whose body is one field of it, REST carries that field. */
function answerOf({ name }: Stack, { output, bindings }: Operation, depth: number): Message {
  const message = filledMessage(output, depth);
  const [{ responseBody }] = bindings;
  if (name !== "rest-express" || responseBody === "") return message;
  const reflected = reflect(output, message);
  for (const field of output.fields) if (field.name !== responseBody) reflected.clear(field);
  return reflected.message;
}

/**
 * Calls every operation over a real socket. What is lost at one depth and not told by the stack's view is a fault; where the view tells of
 * losses, less deeply filled messages have to arrive.
 */
export async function faultsOn(stackName: string, contract: Contract): Promise<readonly string[]> {
  const stack = await loadStack(stackName);
  let now: Expected = { request: create(EmptySchema), answer: create(EmptySchema), seen: [] };
  const service = serviceOf(
    contract,
    handlersFor(contract, () => now),
  );
  const [serve, connect] = await Promise.all([loadServe(stackName), loadConnect(stackName)]);
  const server = await serve(service, { ...serveDefaults, shutdownGraceMs: 200 });
  const client = await connect(contract, { ...connectDefaults, url: server.url });
  const faults: string[] = [];
  try {
    for (const operation of contract.operations) {
      const { lost } = stack.view(operation, contract);
      if (isNotCarried(stack, operation) || lost.some((loss) => loss.endsWith("which gets those calls"))) continue;
      let fault = "";
      for (const depth of depths) {
        now = {
          request: filledRequest(operation, depth),
          answer: answerOf(stack, operation, depth ?? 0),
          seen: [],
        };
        // oxlint-disable-next-line no-await-in-loop -- one after the other, so that each handler knows its call
        fault = await faultAt(client, operation, now, contract);
        if (fault === "" || lost.length === 0) break;
      }
      if (fault !== "") faults.push(fault.slice(0, 1_000));
    }
  } finally {
    await client.close();
    await server.close();
  }
  return faults;
}
