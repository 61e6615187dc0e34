// Conformance cases for any contract: each operation is called with every field set, in request and answer. All fields must arrive, except those
// that the style declares as lost.
import { create, equals, type DescMessage, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import {
  CallError,
  extensionsIn,
  isHttpBody,
  type Client,
  type Contract,
  type Operation,
  type Service,
} from "@roundtrip/contract";
import { NotApplicable } from "../case/case-run.ts";
import type { ConformanceCase } from "../case/case.ts";
import { firstDifference } from "../case/expectations.ts";
import { answersTo, needsOf, numberOf, ScriptedService } from "./scripted-service.ts";
import { requiredCases } from "./required-cases.ts";
import { asRequest, filledMessage, requiredRequest, type Extensions, type Filling } from "./filled-message.ts";

/** The cases of a contract, and the service that the tested server must serve. */
export interface ContractSuite {
  readonly service: Service;
  /** @param lostOf what the style declares that it cannot carry of an operation. */
  cases(lostOf: (operation: Operation) => readonly string[]): readonly ConformanceCase[];
}

interface Attempt {
  readonly request: Message;
  readonly answer: Message;
  /** Whether streams have one message instead of two, because a body of bytes joins messages. */
  readonly isOnce: boolean;
}

const none: Extensions = new Map();

/** The nesting depth of most messages. */
const fullDepth = 3;

/** Messages from the fullest to the emptiest. All must arrive. For a style with declared losses, one of these groups must. */
function attemptsFor(operation: Operation, extensions: Extensions): readonly (readonly Attempt[])[] {
  const { input, output } = operation;
  const filled = (depth: number, choice: Filling["choice"], known: Extensions = none): Attempt => ({
    request: asRequest(operation, filledMessage(input, { depth, choice, extensions: known })),
    answer: filledMessage(output, { depth, choice, extensions: known }),
    isOnce: false,
  });
  const least = {
    request: asRequest(operation, requiredRequest(input)),
    answer: filledMessage(output, { depth: 0, choice: "first", extensions: none }),
    isOnce: false,
  };
  const bare = filled(1, "first");
  return [
    [filled(fullDepth, "first", extensions), filled(fullDepth, "last", extensions)],
    [filled(1, "first"), filled(1, "last")],
    [filled(0, "first")],
    [least],
    [{ ...least, answer: bodyOf(operation, least.answer) }],
    [
      {
        request: asRawBytes(input, bare.request),
        answer: asRawBytes(output, bodyOf(operation, bare.answer)),
        isOnce: true,
      },
    ],
  ];
}

/** The answer with only what its body has: all fields, the one that is the response body, or none in an answer to HEAD. */
function bodyOf({ output, bindings: [{ method, responseBody }] }: Operation, answer: Message): Message {
  if (method === "HEAD") return create(output);
  const reflected = reflect(output, answer);
  if (responseBody !== "") for (const field of output.fields) if (field.name !== responseBody) reflected.clear(field);
  return reflected.message;
}

/** The message without what raw bytes with a content type do not have of an HttpBody in it. */
function asRawBytes(desc: DescMessage, message: Message): Message {
  const reflected = reflect(desc, message);
  for (const field of desc.fields) {
    if (isHttpBody(desc) && field.name === "extensions") reflected.clear(field);
    else if (field.fieldKind === "message" && isHttpBody(field.message) && reflected.isSet(field))
      asRawBytes(field.message, reflected.get(field).message);
  }
  return message;
}

/** The first difference; undefined if there is none. */
function difference(
  { contract }: Service,
  desc: DescMessage,
  { actual, expected }: { readonly actual: Message; readonly expected: Message },
  path: string,
): string | undefined {
  if (equals(desc, actual, expected, { registry: contract.registry, extensions: true })) return undefined;
  return firstDifference(actual, expected, path) ?? `${path}: its extensions differ from those sent`;
}

interface Asking {
  readonly scripted: ScriptedService;
  readonly client: Client;
  readonly operation: Operation;
  readonly lost: readonly string[];
}

/** The first field that did not arrive; undefined if all did. */
async function faultOf(
  { scripted, client, operation, lost }: Asking,
  { request, answer, isOnce }: Attempt,
): Promise<string | undefined> {
  const { input, output } = operation;
  const expected = scripted.expect(operation, answer, isOnce);
  try {
    const answers = await answersTo(client, operation, request, isOnce);
    if (expected.arrived.length === 0) return "no request arrived";
    if (answers.length === 0) return "no answer arrived";
    const requested = expected.arrived.map((one) =>
      difference(scripted.service, input, { actual: one, expected: request }, "request"),
    );
    const answered = answers.map((one) =>
      difference(scripted.service, output, { actual: one, expected: answer }, "answer"),
    );
    return [...requested, ...answered].find((one) => one !== undefined);
  } catch (thrown) {
    if (!(thrown instanceof CallError)) throw thrown;
    const { strayed } = expected;
    if (strayed === undefined || !lost.some((loss) => loss.includes(strayed.id))) {
      return `${thrown.code}: ${thrown.message}`;
    }
    throw new NotApplicable(`${strayed.id} has the same route and received the call`, { cause: thrown });
  }
}

interface SuiteOf {
  readonly scripted: ScriptedService;
  readonly extensions: Extensions;
  readonly lostOf: (operation: Operation) => readonly string[];
}

function arrivesCase({ scripted, extensions, lostOf }: SuiteOf, operation: Operation, number: string): ConformanceCase {
  return {
    id: `OP-${number}`,
    level: "MUST",
    area: "contract",
    title: `${operation.id}: request and answer arrive complete`,
    needs: needsOf(operation),
    async run({ client }) {
      const lost = lostOf(operation);
      let fault: string | undefined;
      for (const attempts of attemptsFor(operation, extensions)) {
        fault = undefined;
        for (const attempt of attempts) {
          // oxlint-disable-next-line no-await-in-loop -- one after the other: the service knows one call at a time
          fault ??= await faultOf({ scripted, client, operation, lost }, attempt);
        }
        // Only fields that the style declares as lost may be missing.
        if (fault === undefined || lost.length === 0) break;
      }
      if (fault !== undefined) throw new Error(fault);
    },
  };
}

/**
 * The cases for a contract. Ids number its operations in order, so they are valid for this contract only.
 * @param operations those with cases
 */
export function contractSuite(contract: Contract, operations = contract.operations): ContractSuite {
  const scripted = new ScriptedService(contract);
  const extensions = extensionsIn(contract.registry);
  return {
    service: scripted.service,
    cases: (lostOf) =>
      operations.flatMap((operation): readonly ConformanceCase[] => {
        const number = numberOf(contract, operation);
        return [
          arrivesCase({ scripted, extensions, lostOf }, operation, number),
          ...requiredCases(scripted, operation, number),
        ];
      }),
  };
}
