// The state of a resource: new ones begin at the beginning, and custom methods (AIP-136) lead from one state to the next.
import type { DescEnumValue, DescField, DescMessage } from "@bufbuild/protobuf";
import type { Contract, Operation } from "@roundtrip/contract";
import { nounAfter } from "@roundtrip/contract/resources";

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
  ...["START", "RESUME", "RESTART"].map((verb) => [verb, /(?:^|_)(?:RUNNING|ACTIVE|IN_PROGRESS)$/] as const),
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

/** The value that a method leads to: `ArchiveBook` to ARCHIVED, if there is such a state. */
function valueAfter({ enum: { values } }: StateField, { method }: Operation): DescEnumValue | undefined {
  const [first = "", second = ""] = method.name.match(/[A-Z][a-z]+/g) ?? [];
  const verb = method.name.startsWith(first) ? first.toUpperCase() : "";
  if (verb.length < 3) return undefined;
  // CANCEL: CANCELED and CANCELLED; PUBLISH: PUBLISHED; ARCHIVE: ARCHIVED; APPLY: APPLIED.
  const done = `(?:^|_)${verb.replace(/[EY]$/, "")}[A-Z]?(?:ED|IED|D)`;
  const stateWith = (end: string) => values.find(({ name }) => new RegExp(`${done}${end}$`).test(name));
  return (
    (particles.test(second) ? stateWith(`_?${second.toUpperCase()}`) : undefined) ??
    stateWith("") ??
    values.find(({ name }) => otherwise.get(verb)?.test(name))
  );
}

/** The state of a resource that a method leads to, and its field; undefined if it leads to none. */
export function stateAfter(
  resource: DescMessage,
  operation: Operation,
): { readonly field: StateField; readonly value: DescEnumValue } | undefined {
  for (const field of stateFields(resource)) {
    const value = valueAfter(field, operation);
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

/**
 * The state of a new resource: the one that its creation leads to, or the first value that says something and to which no method leads, since that is
 * one to leave. Undefined without such a value.
 */
export function firstState(contract: Contract, field: StateField): DescEnumValue | undefined {
  const own = contract.operations.filter(
    ({ method, bindings }) =>
      method.parent.file.proto.package === field.parent.file.proto.package &&
      bindings[0].method !== "GET" &&
      nounAfter("list", method.name) === undefined,
  );
  const created = own.find(({ method }) => nounAfter("create", method.name) === field.parent.name);
  const later = new Set(own.map((operation) => valueAfter(field, operation)));
  const telling = field.enum.values.filter(({ name }) => !unknown.test(name));
  return (created && valueAfter(field, created)) ?? telling.find((value) => !later.has(value)) ?? telling[0];
}
