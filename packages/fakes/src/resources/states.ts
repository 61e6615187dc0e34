// The state of a resource: new ones begin at the beginning, and custom methods (AIP-136) lead from one state to the next.
import type { DescEnumValue, DescField, DescMessage } from "@bufbuild/protobuf";
import type { Contract, Operation } from "@roundtrip/contract";

export type StateField = DescField & { readonly fieldKind: "enum" };

/** The field with the state of a resource; undefined if it has none. */
export function stateField({ fields }: DescMessage): StateField | undefined {
  const named = ["state", "status", "lifecycle_state"].map((name) => fields.find((field) => field.name === name));
  const found = named.find((field) => field?.fieldKind === "enum");
  return found?.fieldKind === "enum" ? found : undefined;
}

/** The value that a method leads to: `ArchiveBook` to ARCHIVED, if there is such a state. */
export function stateAfter({ enum: { values } }: StateField, { method }: Operation): DescEnumValue | undefined {
  const verb = /^[A-Z][a-z]+/.exec(method.name)?.[0].toUpperCase() ?? "";
  if (verb.length < 3) return undefined;
  // CANCEL: CANCELED and CANCELLED; PUBLISH: PUBLISHED; ARCHIVE: ARCHIVED; APPLY: APPLIED.
  const done = new RegExp(`(?:^|_)${verb.replace(/[EY]$/, "")}[A-Z]?(?:ED|IED|D)$`);
  return values.find(({ name }) => done.test(name));
}

/** The name of a state without what all its names begin with: `PAID` of `INVOICE_STATUS_PAID`. */
export function shortName({ name, parent }: DescEnumValue): string {
  return name.slice(parent.sharedPrefix?.length ?? 0);
}

/** Values that say nothing. */
const unknown = /(?:^|_)(?:UNSPECIFIED|UNKNOWN|UNDEFINED|UNRECOGNIZED|INVALID)$/;

/**
 * The state of a new resource: the first value that says something and to which no method leads, since that is one to leave. Undefined without such a
 * value.
 */
export function firstState(contract: Contract, field: StateField): DescEnumValue | undefined {
  const own = contract.operations.filter(
    ({ method }) => method.parent.file.proto.package === field.parent.file.proto.package,
  );
  const later = new Set(own.map((operation) => stateAfter(field, operation)));
  const telling = field.enum.values.filter(({ name }) => !unknown.test(name));
  return telling.find((value) => !later.has(value)) ?? telling[0];
}
