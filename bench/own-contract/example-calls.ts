// Finds requests that a server answers: generated from the rules of the contract, with names and ids from earlier answers.
import {
  clearField,
  clone,
  toJson,
  type DescField,
  type DescMessage,
  type JsonValue,
  type Message,
} from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { CallError, type Client, type Contract, type Operation } from "@roundtrip/contract";
import { exampleRequests } from "@roundtrip/fakes/parts";
import { KnownResources } from "./known-resources.ts";
import { rehearse } from "./rehearsed-calls.ts";

export interface ExampleCall {
  readonly operation: Operation;
  readonly request: Message;
}

export interface ExampleCalls {
  readonly found: ReadonlyMap<Operation, Message>;
  /** Operations without an answered request, with the error of the last attempt. */
  readonly unanswered: ReadonlyMap<Operation, unknown>;
}

const timeoutMs = 10_000;

/** Three passes find the names of resources three levels below others. */
const mostPasses = 4;

/** Whether a server does not answer at all, so that it is not called again. */
function isGone(thrown: unknown): boolean {
  return ["UNAVAILABLE", "DEADLINE_EXCEEDED"].includes(CallError.from(thrown).code);
}

export interface ExampleOptions {
  /** Opens a client for one call, of a fresh server if the call may write. */
  readonly open: () => Client;
  /** Stops after this many operations with requests, to call a server that others use no more than necessary. */
  readonly enough: number;
}

/** Finds a request for each of these unary operations. Rejects with the CallError of a server that does not answer at all. */
export async function exampleCalls(
  contract: Contract,
  operations: readonly Operation[],
  { open, enough }: ExampleOptions,
): Promise<ExampleCalls> {
  const makeUp = exampleRequests(contract);
  const known = new KnownResources();
  const descOf = (typeName: string): DescMessage | undefined => contract.registry.getMessage(typeName);
  const found = new Map<Operation, Message>();
  const unanswered = new Map<Operation, unknown>();

  const tryOne = async (operation: Operation): Promise<void> => {
    const candidates: Message[] = [];
    try {
      const [simple, whole] = [makeUp(operation), makeUp(operation, true)];
      candidates.push(known.asking(operation, simple, descOf), known.asking(operation, whole, descOf), simple);
    } catch (thrown) {
      // No request of the type is possible.
      unanswered.set(operation, CallError.from(thrown));
    }
    for (const request of candidates) {
      try {
        const message = await open().prepare(operation)(request, { timeoutMs });
        known.learn(operation.output, message);
        found.set(operation, request);
        unanswered.delete(operation);
        return;
      } catch (thrown) {
        if (isGone(thrown) && found.size === 0) throw thrown;
        // The answer to the likeliest request is the most informative one.
        if (request === candidates[0]) unanswered.set(operation, thrown);
        if (isGone(thrown)) return;
      }
    }
  };

  for (let pass = 0; pass < mostPasses; pass += 1) {
    const before = found.size;
    for (const operation of operations) if (!found.has(operation) && found.size < enough) await tryOne(operation);
    if (found.size === operations.length || (found.size === before && pass > 0)) break;
  }
  return { found, unanswered };
}

/** Their values have types that no field declares. */
const dynamic: ReadonlySet<string> = new Set(
  ["Any", "Struct", "Value", "ListValue"].map((name) => `google.protobuf.${name}`),
);

const mostDepth = 8;

function isIntricate(field: DescField): boolean {
  if (field.fieldKind === "map") return true;
  if (field.fieldKind === "list") return field.listKind === "message";
  return field.fieldKind === "message" && dynamic.has(field.message.typeName);
}

/** Clears these fields, also in messages inside. Returns whether any was set. */
function clearIntricate(desc: DescMessage, message: Message, depth: number): boolean {
  const at = reflect(desc, message, false);
  let isChanged = false;
  for (const field of at.sortedFields) {
    if (!at.isSet(field)) continue;
    if (isIntricate(field)) {
      clearField(message, field);
      isChanged = true;
    } else if (field.fieldKind === "message" && depth < mostDepth) {
      isChanged = clearIntricate(field.message, at.get(field).message, depth + 1) || isChanged;
    }
  }
  return isChanged;
}

/** A plainer copy; undefined if the request is plain already. */
export function plainerRequest(desc: DescMessage, request: Message): Message | undefined {
  const copy = clone(desc, request);
  return clearIntricate(desc, copy, 0) ? copy : undefined;
}

export function requestJson(contract: Contract, { operation, request }: ExampleCall): JsonValue {
  return toJson(operation.input, request, { registry: contract.registry });
}

/** The answers to the same call, made several times in a row. Rejects with the first error. */
export async function repeated(
  client: Client,
  { operation, request }: ExampleCall,
  times: number,
): Promise<readonly Awaited<ReturnType<typeof rehearse>>[]> {
  const answers = [];
  for (let time = 0; time < times; time += 1) answers.push(await rehearse(client, operation, request));
  return answers;
}
