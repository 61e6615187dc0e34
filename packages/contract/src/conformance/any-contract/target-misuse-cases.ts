// Misuse cases for a target: malformed bytes, sent only to operations without side effects.
import type { Contract, Operation } from "../../contract.ts";
import { NotApplicable } from "../case-run.ts";
import type { ConformanceCase, Level } from "../case.ts";
import { misuseRules, type Misuse, type ProtocolMisuse, type RawAnswer } from "../misuse.ts";
import { servedDefaults } from "../subject.ts";
import { asRequest, requiredOnly } from "./filled-message.ts";

/** The address of the server, and how to misuse its style. */
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

function shown({ httpStatus, code }: RawAnswer): string {
  if (httpStatus === undefined) return "no answer";
  return code === undefined ? `HTTP ${httpStatus}` : `HTTP ${httpStatus} ${code}`;
}

/** True for an operation without side effects whose path has no further segments. */
function harmless(operation: Operation): boolean {
  const [{ path }] = operation.bindings;
  return (
    operation.kind === "unary" &&
    operation.sideEffects === "none" &&
    path.segments.every(({ kind }) => kind !== "rest") &&
    path.verb === ""
  );
}

/** The cases; none for a contract without operations that are declared free of side effects. */
export function targetMisuseCases(contract: Contract, { url, ca, misuses }: MisuseServer): readonly ConformanceCase[] {
  const reads = contract.operations.filter(harmless);
  const { protocol, exchanges } = misuses;
  const caseOf = (misuse: Misuse, id: string, level: Level, operation: Operation): ConformanceCase => ({
    id,
    level,
    area: "misuse",
    title: `${misuseRules[misuse].title} is refused with its own error`,
    needs: [],
    async run() {
      const { maxRequestBytes } = servedDefaults;
      // An empty query, so that the server can only refuse the longer path itself.
      const request = asRequest(operation, requiredOnly(operation.input));
      const answer = await exchanges[misuse]?.({ url, ca, contract, operation, request, maxRequestBytes });
      if (answer === undefined) throw new NotApplicable(`this misuse does not exist in ${protocol}`);
      if (isAccessDenied(answer)) throw new NotApplicable(`the server requires a token: ${shown(answer)}`);
      const allowed: readonly RawAnswer[] = misuseRules[misuse].answers[protocol];
      if (allowed.some((one) => shown(one) === shown(answer)) || acceptable[misuse]?.(answer) === true) return;
      throw new Error(`got ${shown(answer)}, expected ${allowed.map(shown).join(" or ")}`);
    },
  });
  const [first] = reads;
  const withBody = protocol === "rest" ? reads.find(({ bindings: [{ body }] }) => body !== "") : first;
  return [
    ...(first === undefined ? [] : [caseOf("unknownMethod", "MI-0001", "MUST", first)]),
    ...(withBody === undefined ? [] : [caseOf("malformedBody", "MI-0002", "SHOULD", withBody)]),
  ];
}
