// Conformance cases for any contract on a server that nobody here started: it is asked for nothing that may write, and its answers may be any.
import type { Message } from "@bufbuild/protobuf";
import { CallError } from "../../call-error.ts";
import type { CanonicalCode } from "../../canonical-code.ts";
import type { Client } from "../../client.ts";
import type { Contract, Operation } from "../../contract.ts";
import { requestRules } from "../../request-rules.ts";
import { NotApplicable } from "../case-run.ts";
import type { ConformanceCase } from "../case.ts";
import { asRequest, filledMessage, requiredOnly, type Filling } from "./filled-message.ts";
import { needsOf } from "./needs-of.ts";

/** A stream that says nothing for so long has nothing to say. */
const timeoutMs = 5_000;

/** By these a server blames itself, or says that it does not have what the contract promises. */
const unfit: ReadonlySet<CanonicalCode> = new Set(["UNIMPLEMENTED", "INTERNAL", "UNKNOWN", "DATA_LOSS", "UNAVAILABLE"]);

/** GraphQL has no code for what is not there. By these a server says that its schema has no such field, or that it has no subscriptions. */
const notInSchema: ReadonlySet<string> = new Set(["GRAPHQL_VALIDATION_FAILED", "BAD_REQUEST"]);

function isUnfit({ code, details }: CallError, { kind }: Operation): boolean {
  // A stream may have nothing to say yet.
  if (code === "DEADLINE_EXCEEDED") return kind === "unary";
  return unfit.has(code) || (details.domain === "graphql" && notInSchema.has(details.reason));
}

/** Whoever calls has to say who they are, and has no more than what they were given. */
const forStrangers: ReadonlySet<CanonicalCode> = new Set(["UNAUTHENTICATED", "PERMISSION_DENIED"]);

function isReading({ sideEffects }: Operation): boolean {
  return sideEffects === "none";
}

function keepsRules(contract: Contract, { input }: Operation, request: Message): boolean {
  try {
    requestRules(contract)(input, request);
    return true;
  } catch (thrown) {
    if (thrown instanceof CallError && thrown.code === "INVALID_ARGUMENT") return false;
    throw thrown;
  }
}

/** Requests from the smallest to the fullest. */
function requestsOf(operation: Operation): readonly [Message, ...Message[]] {
  const filled = (depth: number, choice: Filling["choice"]): Message =>
    asRequest(operation, filledMessage(operation.input, { depth, choice, extensions: new Map() }));
  return [
    asRequest(operation, requiredOnly(operation.input)),
    filled(0, "first"),
    filled(1, "first"),
    filled(1, "last"),
  ];
}

/** The error that a call ends with; undefined when it is answered. Of a stream the first answer is read, and no more. */
async function refusalOf(client: Client, operation: Operation, request: Message): Promise<CallError | undefined> {
  try {
    if (operation.kind === "unary") await client.prepare(operation)(request, { timeoutMs });
    else for await (const _ of client.prepareStream(operation)([request], { timeoutMs })) break;
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof CallError)) throw thrown;
    if (!forStrangers.has(thrown.code)) return thrown;
    const why = `the server answers ${thrown.code}: ${thrown.message}; --token-env names the variable of a token`;
    throw new NotApplicable(why, { cause: thrown });
  }
}

function shown({ code, message }: CallError): string {
  return `${code}: ${message}`;
}

function answersCase(contract: Contract, operation: Operation, number: string): ConformanceCase {
  return {
    id: `AN-${number}`,
    level: "MUST",
    area: "contract",
    title: `${operation.id}: answers as the contract says, or says by its code that the request is at fault`,
    needs: needsOf(operation),
    async run({ client }) {
      if (!isReading(operation)) throw new NotApplicable("it may write, and this server is not ours to write to");
      const requests = requestsOf(operation);
      const request = requests.find((one) => keepsRules(contract, operation, one)) ?? requests[0];
      const refusal = await refusalOf(client, operation, request);
      if (refusal !== undefined && isUnfit(refusal, operation)) throw new Error(shown(refusal));
    },
  };
}

/** Nothing for an operation that may write, and where no request comes to mind that breaks a rule. */
function rulesCase(contract: Contract, operation: Operation, number: string): readonly ConformanceCase[] {
  if (!isReading(operation)) return [];
  const request = requestsOf(operation).find((one) => !keepsRules(contract, operation, one));
  if (request === undefined) return [];
  return [
    {
      id: `RU-${number}`,
      level: "MUST",
      area: "contract",
      title: `${operation.id}: a request that breaks a rule of the contract is INVALID_ARGUMENT`,
      needs: needsOf(operation),
      async run({ client }) {
        const refusal = await refusalOf(client, operation, request);
        if (refusal?.code === "INVALID_ARGUMENT") return;
        throw new Error(refusal === undefined ? "it was answered" : shown(refusal));
      },
    },
  ];
}

/**
 * The cases for a contract on a server elsewhere, numbered in the contract's order. Operations that may write are skipped, with that reason.
 * Where a contract says of none that it only reads, all are.
 */
export function targetSuite(contract: Contract): readonly ConformanceCase[] {
  return contract.operations.flatMap((operation, index) => {
    const number = String(index + 1).padStart(4, "0");
    return [answersCase(contract, operation, number), ...rulesCase(contract, operation, number)];
  });
}
