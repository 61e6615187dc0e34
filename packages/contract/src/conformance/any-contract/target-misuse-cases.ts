// What a server elsewhere says to bytes that no client of its contract sends, in calls that can do no harm.
import type { Contract, Operation } from "../../contract.ts";
import { NotApplicable } from "../case-run.ts";
import type { ConformanceCase, Level } from "../case.ts";
import { misuseRules, type Misuse, type ProtocolMisuse, type RawAnswer } from "../misuse.ts";
import { servedDefaults } from "../subject.ts";
import { asRequest, requiredOnly } from "./filled-message.ts";

/** Where the server is, and how its style is misused. */
export interface MisuseServer {
  readonly url: string;
  /** Certificate authority in PEM for https. */
  readonly ca: string | undefined;
  readonly misuses: ProtocolMisuse;
}

/** Servers of other makes spell these as they like; what is no success names what went wrong. */
const asGood: Readonly<Partial<Record<Misuse, (answer: RawAnswer) => boolean>>> = {
  unknownMethod: ({ httpStatus, code }) => httpStatus === 404 || code === "UNIMPLEMENTED" || code === "NOT_FOUND",
  malformedBody: ({ httpStatus, code }) => httpStatus === 400 || code === "INVALID_ARGUMENT",
};

function isForStrangers({ httpStatus, code }: RawAnswer): boolean {
  return httpStatus === 401 || httpStatus === 403 || code === "UNAUTHENTICATED" || code === "PERMISSION_DENIED";
}

function shown({ httpStatus, code }: RawAnswer): string {
  if (httpStatus === undefined) return "no answer";
  return code === undefined ? `HTTP ${httpStatus}` : `HTTP ${httpStatus} ${code}`;
}

/** One that only reads, and whose place on HTTP has nothing behind it. */
function harmless(operation: Operation): boolean {
  const [{ path }] = operation.bindings;
  return (
    operation.kind === "unary" &&
    operation.sideEffects === "none" &&
    path.segments.every(({ kind }) => kind !== "rest") &&
    path.verb === ""
  );
}

/** The cases; none for a contract that says of no operation that it only reads. */
export function targetMisuseCases(contract: Contract, { url, ca, misuses }: MisuseServer): readonly ConformanceCase[] {
  const reads = contract.operations.filter(harmless);
  const { protocol, exchanges } = misuses;
  const caseOf = (misuse: Misuse, id: string, level: Level, operation: Operation): ConformanceCase => ({
    id,
    level,
    area: "misuse",
    title: `${misuseRules[misuse].title} is refused as that`,
    needs: [],
    async run() {
      const { maxRequestBytes } = servedDefaults;
      // Nothing in its query: that a path which goes on leads nowhere is seen by the path alone.
      const request = asRequest(operation, requiredOnly(operation.input));
      const answer = await exchanges[misuse]?.({ url, ca, contract, operation, request, maxRequestBytes });
      if (answer === undefined) throw new NotApplicable(`${protocol} has no such thing`);
      if (isForStrangers(answer)) throw new NotApplicable(`the server wants to know who calls: ${shown(answer)}`);
      const allowed: readonly RawAnswer[] = misuseRules[misuse].answers[protocol];
      if (allowed.some((one) => shown(one) === shown(answer)) || asGood[misuse]?.(answer) === true) return;
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
