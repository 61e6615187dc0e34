// Conformance cases for any contract on a target, a server that is already running. They call only operations without side effects, unless the
// target's data may be overwritten, and accept any valid answer.
import type { Message } from "@bufbuild/protobuf";
import { CallError, type CanonicalCode, type Client, type Contract, type Operation } from "@roundtrip/contract";
import { hasBehaviorInside, pathsWithBehavior } from "@roundtrip/contract/field-rules";
import { type Misuse, misuseTitles, type ProtocolMisuse, type RawAnswer, type Style } from "@roundtrip/styles";
import { NotApplicable } from "../case/case-run.ts";
import type { ConformanceCase, Level } from "../case/case.ts";
import { asRequest, filledMessage, type Filling, requiredOnly } from "./filled-message.ts";
import { keepsRules, needsOf, numberOf } from "./scripted-service.ts";
import { answerFault, answerText } from "../case/expectations.ts";
import { servedDefaults } from "../case/subject.ts";

/** A stream without a message for so long counts as idle. */
const timeoutMs = 5_000;

/** Codes for errors of the server, or for operations that it does not implement. */
const unfit: ReadonlySet<CanonicalCode> = new Set(["UNIMPLEMENTED", "INTERNAL", "UNKNOWN", "DATA_LOSS", "UNAVAILABLE"]);

/** How servers of the style refuse an operation that they do not have. */
type OfStyle = Pick<Style, "missingOperationReasons">;

function isUnfit({ code, details }: CallError, { kind }: Operation, { missingOperationReasons }: OfStyle): boolean {
  // A stream may have no message yet.
  if (code === "DEADLINE_EXCEEDED") return kind === "unary";
  return unfit.has(code) || missingOperationReasons.includes(details.reason);
}

/** The server requires a token, or the token does not allow the call. */
const accessDenied: ReadonlySet<CanonicalCode> = new Set(["UNAUTHENTICATED", "PERMISSION_DENIED"]);

interface Targeted {
  readonly contract: Contract;
  readonly style: OfStyle;
  /** Whether the target's data may be overwritten. */
  readonly mayWrite: boolean;
}

function mayCall({ mayWrite }: Targeted, { sideEffects }: Operation): boolean {
  return mayWrite || sideEffects === "none";
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

/** The first answer of a call, or why it failed. */
interface Outcome {
  readonly answer: Message | undefined;
  readonly refusal: CallError | undefined;
}

async function firstAnswer(client: Client, operation: Operation, request: Message): Promise<Message | undefined> {
  if (operation.kind === "unary") return client.prepare(operation)(request, { timeoutMs });
  for await (const answer of client.prepareStream(operation)([request], { timeoutMs })) return answer;
  return undefined;
}

/** Makes a call, and reads only the first answer of a stream. */
async function outcomeOf(client: Client, operation: Operation, request: Message): Promise<Outcome> {
  try {
    return { answer: await firstAnswer(client, operation, request), refusal: undefined };
  } catch (thrown) {
    if (!(thrown instanceof CallError)) throw thrown;
    if (!accessDenied.has(thrown.code)) return { answer: undefined, refusal: thrown };
    const why = `the server answers ${thrown.code}: ${thrown.message}; pass a token: --target STYLE=URL,token-env=NAME`;
    throw new NotApplicable(why, { cause: thrown });
  }
}

function shown({ code, message }: CallError): string {
  return `${code}: ${message}`;
}

/** The smallest request that follows the contract's rules; if none does, the smallest of all. */
function validRequest(contract: Contract, operation: Operation): Message {
  const requests = requestsOf(operation);
  return requests.find((one) => keepsRules(contract, operation, one)) ?? requests[0];
}

function answersCase(targeted: Targeted, operation: Operation, number: string): ConformanceCase {
  const { contract, style } = targeted;
  return {
    id: `AN-${number}`,
    level: "MUST",
    area: "contract",
    title: `${operation.id}: answers as the contract says, or with an error code that blames the request`,
    needs: needsOf(operation),
    async run({ client }) {
      if (!mayCall(targeted, operation)) throw new NotApplicable("may write (--disposable calls it)");
      const { refusal } = await outcomeOf(client, operation, validRequest(contract, operation));
      if (refusal !== undefined && isUnfit(refusal, operation, style)) throw new Error(shown(refusal));
    },
  };
}

/** No case for an operation that may not be called, or if none of the requests breaks a rule. */
function rulesCase(targeted: Targeted, operation: Operation, number: string): readonly ConformanceCase[] {
  if (!mayCall(targeted, operation)) return [];
  const { contract } = targeted;
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
        const { refusal } = await outcomeOf(client, operation, request);
        if (refusal?.code === "INVALID_ARGUMENT") return;
        throw new Error(refusal === undefined ? "the server answered the request" : shown(refusal));
      },
    },
  ];
}

/** No case for an operation that may not be called, or whose answers have no field that only requests have. */
function inputOnlyCase(targeted: Targeted, operation: Operation, number: string): readonly ConformanceCase[] {
  const { output } = operation;
  if (!mayCall(targeted, operation) || !hasBehaviorInside(output, "input-only")) return [];
  return [
    {
      id: `IO-${number}`,
      level: "MUST",
      area: "contract",
      title: `${operation.id}: an answer has no field that is INPUT_ONLY`,
      needs: needsOf(operation),
      async run({ client }) {
        const { answer } = await outcomeOf(client, operation, validRequest(targeted.contract, operation));
        if (answer === undefined) throw new NotApplicable("the server did not answer the request");
        const [path] = pathsWithBehavior(output, answer, "input-only");
        if (path !== undefined) throw new Error(`the answer has ${path}`);
      },
    },
  ];
}

/**
 * The cases for a contract on a target, numbered in the contract's order. Operations that may not be called are skipped with that reason.
 * @param operations those with cases
 */
export function targetSuite(targeted: Targeted, operations = targeted.contract.operations): readonly ConformanceCase[] {
  return operations.flatMap((operation) => {
    const number = numberOf(targeted.contract, operation);
    return [
      answersCase(targeted, operation, number),
      ...rulesCase(targeted, operation, number),
      ...inputOnlyCase(targeted, operation, number),
    ];
  });
}

// Misuse cases for a target: malformed bytes, sent only to operations without side effects.

/** The address of a server, and bytes that no client of its style sends. */
export interface MisuseServer {
  readonly url: string;
  /** Certificate authority in PEM for https. */
  readonly ca: string | undefined;
  readonly misuses: ProtocolMisuse;
}

/** Other servers may use a different error here, if it names the problem. */
const acceptable: Readonly<Partial<Record<Misuse, (answer: RawAnswer) => boolean>>> = {
  unknownMethod: ({ httpStatus, code }) => httpStatus === 404 || code === "UNIMPLEMENTED" || code === "NOT_FOUND",
  malformedBody: ({ httpStatus, code }) => httpStatus === 400 || code === "INVALID_ARGUMENT",
};

function isAccessDenied({ httpStatus, code }: RawAnswer): boolean {
  return httpStatus === 401 || httpStatus === 403 || code === "UNAUTHENTICATED" || code === "PERMISSION_DENIED";
}

/** True for an operation without side effects whose path has no further segments. */
function harmless(operation: Operation): boolean {
  const [{ path }] = operation.bindings;
  return (
    operation.kind === "unary" &&
    operation.sideEffects === "none" &&
    path.segments.every(({ kind }) => kind !== "many") &&
    path.verb === ""
  );
}

/** The cases; none without operations that are declared free of side effects. @param operations those that may be called */
export function targetMisuseCases(
  contract: Contract,
  { url, ca, misuses }: MisuseServer,
  operations = contract.operations,
): readonly ConformanceCase[] {
  const reads = operations.filter(harmless);
  const caseOf = (misuse: Misuse, id: string, level: Level, operation: Operation): ConformanceCase => ({
    id,
    level,
    area: "misuse",
    title: `${misuseTitles[misuse]} is refused with its own error`,
    needs: [],
    async run() {
      const { maxRequestBytes } = servedDefaults;
      // An empty query, so that the server can only refuse the longer path itself.
      const request = asRequest(operation, requiredOnly(operation.input));
      const attempt = misuses.attempts[misuse];
      if (attempt === undefined) throw new NotApplicable("this misuse does not exist in the protocol");
      const answer = await attempt.send({ url, ca, contract, operation, request, maxRequestBytes });
      if (isAccessDenied(answer)) throw new NotApplicable(`the server requires a token: ${answerText(answer)}`);
      const fault = answerFault(answer, attempt.answers);
      if (fault !== undefined && acceptable[misuse]?.(answer) !== true) throw new Error(fault);
    },
  });
  const [first] = reads;
  const withBody = reads.find(misuses.sendsBody);
  return [
    ...(first === undefined ? [] : [caseOf("unknownMethod", "MI-0001", "MUST", first)]),
    ...(withBody === undefined ? [] : [caseOf("malformedBody", "MI-0002", "SHOULD", withBody)]),
  ];
}
