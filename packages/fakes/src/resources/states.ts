// The state of a resource: new ones begin at the beginning, and custom methods (AIP-136) lead from one state to the next.
import type { DescEnumValue, DescField, DescMessage } from "@bufbuild/protobuf";
import type { Contract, Operation } from "@roundtrip/contract";
import { isPluralOf, nounAfter } from "@roundtrip/contract/resources";

export type StateField = DescField & { readonly fieldKind: "enum" };

const ownNames = ["state", "status", "phase", "lifecycle_state"];
const stateNames = /(?:^|_)(?:state|status|phase)$/;
/** Of another time than now. */
const otherTimes = /(?:^|_)(?:last|previous|prior|old|former|next|desired|target|wanted|requested|expected)_/;

function rank({ name }: DescField): number {
  return ownNames.includes(name) ? ownNames.indexOf(name) : ownNames.length;
}

/** The fields with a state of a resource: its own, then those of its parts, such as `payment_state`. */
export function stateFields({ fields }: DescMessage): readonly StateField[] {
  return fields
    .filter((field): field is StateField => field.fieldKind === "enum")
    .filter(({ name }) => stateNames.test(name) && !otherTimes.test(name))
    .toSorted((a, b) => rank(a) - rank(b));
}

/** States whose names are none that their verb has as a participle. */
const otherwise = new Map([
  ["SEND", /(?:^|_)SENT$/],
  ["HOLD", /(?:^|_)(?:ON_HOLD|HELD)$/],
  ["WITHDRAW", /(?:^|_)WITHDRAWN$/],
  ...["START", "RESUME", "RESTART", "RUN"].map((verb) => [verb, /(?:^|_)(?:RUNNING|ACTIVE|IN_PROGRESS)$/] as const),
  ["BEGIN", /(?:^|_)(?:BEGUN|STARTED|RUNNING|IN_PROGRESS)$/],
  ["BUILD", /(?:^|_)BUILT$/],
  ["FREEZE", /(?:^|_)FROZEN$/],
  ["LOSE", /(?:^|_)LOST$/],
  ["SELL", /(?:^|_)SOLD$/],
  ["ENABLE", /(?:^|_)ACTIVE$/],
  ["DISABLE", /(?:^|_)INACTIVE$/],
  ...["COMPLETE", "END", "FINISH"].map((verb) => [verb, /(?:^|_)(?:COMPLETED?|DONE|ENDED|FINISHED)$/] as const),
  ...["OPEN", "REOPEN"].map((verb) => [verb, /(?:^|_)OPEN$/] as const),
  ["DEACTIVATE", /(?:^|_)(?:INACTIVE|DISABLED)$/],
  ...["ACTIVATE", "REACTIVATE"].map((verb) => [verb, /(?:^|_)ACTIVE$/] as const),
]);

/** Words that belong to the verb before them: `CheckInGuest` leads to CHECKED_IN. */
const particles = /^(?:In|Out|Up|Down|On|Off|Back)$/;

/** Verbs that lead back to a state, so that what they lead to may be the first. */
const returning = /^(?:RESUME|REOPEN|RESTART|RESTORE|REACTIVATE|REINSTATE|RENEW|RESET|RETRY|UN(?!ITE$|IFY$)[A-Z]{3,})$/;

/** The verb of a custom method in capitals, and the word behind it: CHECK and `In` of `CheckInGuest`; empty if its name begins otherwise. */
function verbOf({ method: { name } }: Operation): readonly [verb: string, second: string] {
  const [first = "", second = ""] = name.match(/[A-Z][a-z]+/g) ?? [];
  return [name.startsWith(first) ? first.toUpperCase() : "", second];
}

/** Whether a method leads back to an earlier state: `Reopen` and `Unlock`. */
export function leadsBack(operation: Operation): boolean {
  return returning.test(verbOf(operation)[0]);
}

/** The value that a verb leads to: `ArchiveBook` to ARCHIVED and `FreeRoom` to FREE, if there is such a state. */
function valueAfter(
  { enum: { values } }: StateField,
  [verb, second]: ReturnType<typeof verbOf>,
): DescEnumValue | undefined {
  if (verb.length < 3) return undefined;
  const reached = values.filter(({ name }) => !/(?:^|_)NOT_/.test(name));
  // CANCEL: CANCELED and CANCELLED; PUBLISH: PUBLISHED; ARCHIVE: ARCHIVED; APPLY: APPLIED.
  const done = `(?:^|_)${verb.replace(/[EY]$/, "")}[A-Z]?(?:ED|IED|D)`;
  const stateWith = (end: string) => reached.find(({ name }) => new RegExp(`${done}${end}$`).test(name));
  return (
    (particles.test(second) ? stateWith(`_?${second.toUpperCase()}`) : undefined) ??
    stateWith("") ??
    reached.find(({ name }) => otherwise.get(verb)?.test(name)) ??
    reached.find((value) => shortName(value) === verb)
  );
}

/** The state of a resource that a method leads to, and its field; undefined if it leads to none. */
export function stateAfter(
  contract: Contract,
  resource: DescMessage,
  operation: Operation,
): { readonly field: StateField; readonly value: DescEnumValue } | undefined {
  const [verb, second] = verbOf(operation);
  for (const field of stateFields(resource)) {
    // `Unlock` leads back from LOCKED.
    const isUndone = verb.startsWith("UN") && valueAfter(field, [verb.slice(2), second]) !== undefined;
    const value = valueAfter(field, [verb, second]) ?? (isUndone ? firstState(contract, field) : undefined);
    if (value !== undefined) return { field, value };
  }
  return undefined;
}

/** The name of a state without what all its names begin with: `PAID` of `INVOICE_STATUS_PAID`. */
export function shortName({ name, parent }: DescEnumValue): string {
  return name.slice(parent.sharedPrefix?.length ?? 0);
}

/** Values that say nothing. */
const unknown = /(?:^|_)(?:UNSPECIFIED|UNKNOWN|UNDEFINED|UNRECOGNIZED|INVALID)$/;

/** States in which something does not begin. */
const ends =
  /^(?!.*NOT_)(?:.*_)?(?:FAIL|ERROR|EXPIR|OVERDUE|PAST_DUE|LAPS|LOST|NO_SHOW|DELET|REMOV|DESTROY|REJECT|DECLIN|CANCEL|ABANDON|DISPUT|SUSPEND|DONE|COMPLET|FINISH|SUCCEED|ENDED|RETURNED|CLOSED|REFUND|ARCHIV|RETIRED|TERMINAT)/;

/** Whether a method is one of a type's resources, by its answer, its name or its service: a package has methods of others too. */
function isOf({ method, output }: Operation, type: DescMessage): boolean {
  const ofService = method.parent.name.replace(/(?:Service|Manager|API|Api)$/, "");
  const [first = ""] = /^[A-Z][a-z]+/.exec(method.name) ?? [];
  return output === type || method.name === `${first}${type.name}` || isPluralOf(ofService, type.name);
}

/**
 * The state of a new resource: the one that its creation leads to, or the first value that says something, is no end, and to which no method leads
 * but back, since that is one to leave. Undefined without a value that says something.
 */
export function firstState(contract: Contract, field: StateField): DescEnumValue | undefined {
  const own = contract.operations.filter(
    ({ method, bindings }) =>
      method.parent.file.proto.package === field.parent.file.proto.package &&
      bindings[0].method !== "GET" &&
      nounAfter("list", method.name) === undefined,
  );
  const leadingTo = (operation: Operation): DescEnumValue | undefined => valueAfter(field, verbOf(operation));
  const created = own.find(({ method }) => nounAfter("create", method.name) === field.parent.name);
  const leaving = own.filter((operation) => isOf(operation, field.parent) && !leadsBack(operation));
  const later = new Set(leaving.map(leadingTo));
  const telling = field.enum.values.filter(({ name }) => !unknown.test(name));
  const first = telling.find((value) => !later.has(value) && !ends.test(shortName(value)));
  return (created && leadingTo(created)) ?? first ?? telling[0];
}
