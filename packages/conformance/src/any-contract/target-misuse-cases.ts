// Misuse cases for a target: malformed bytes, sent only to operations without side effects.
import type { Contract, Operation } from "@roundtrip/contract";
import { NotApplicable } from "../case/case-run.ts";
import type { ConformanceCase, Level } from "../case/case.ts";
import { misuseTitles, type Misuse, type ProtocolMisuse, type RawAnswer } from "@roundtrip/styles";
import { answerFault, answerText } from "../case/answer-text.ts";
import { servedDefaults } from "../case/subject.ts";
import { asRequest, requiredOnly } from "./filled-message.ts";

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
