// What a partial update (AIP-134) has to say: the fields that its mask names, or without a mask those that are set; and always the key. Rules of other
// fields do not apply.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import type { ReflectMessage } from "@bufbuild/protobuf/reflect";
import type { FieldMask } from "@bufbuild/protobuf/wkt";
import { type MaskedFields, namedFields, populatedFields, wholeField } from "../calls/field-masks.ts";
import { containsType, memoize } from "../descriptors/components.ts";
import type { Contract } from "../descriptors/contract.ts";
import { findResources } from "../resources/find-resources.ts";
import { changedFields, hasBehavior, updateMaskOf } from "./field-behavior.ts";

/** The fields of a message that a request is about, each as a whole or with those inside it; undefined for all. */
export type Written = MaskedFields | undefined;

/** Whether a request of this type, or one inside it, has an update mask. */
export const leadsToMask = containsType((message) => updateMaskOf(message) !== undefined);

function fieldAlong(input: DescMessage, path: readonly string[]): DescField | undefined {
  let inside: DescMessage | undefined = input;
  let field: DescField | undefined;
  for (const name of path) {
    field = inside?.fields.find((candidate) => candidate.name === name);
    inside = field?.message;
  }
  return field;
}

/** The fields of keys, and those in paths. */
const keyFields = memoize((contract: Contract): ReadonlySet<DescField> => {
  const keys = findResources(contract).flatMap(({ key }) => key.map(({ field }) => field));
  const inPaths = contract.operations.flatMap(({ input, bindings }) =>
    bindings.flatMap(({ path }) => path.variables.map(({ fieldPath }) => fieldAlong(input, fieldPath))),
  );
  return new Set([...keys, ...inPaths].filter((field) => field !== undefined));
});

function pathsOf(request: ReflectMessage): readonly string[] {
  const mask = updateMaskOf(request.desc);
  if (mask?.fieldKind !== "message" || !request.isSet(mask)) return [];
  return (request.get(mask).message as FieldMask).paths;
}

function withKeys(contract: Contract, { fields }: DescMessage, named: MaskedFields): MaskedFields {
  const keys = fields.filter((field) => keyFields(contract).has(field) || hasBehavior(field, "identifier"));
  return new Map([...named, ...keys.map((field) => [field, wholeField] as const)]);
}

/** What a request says of its own fields, if its mask names them because it has no resource in a field of its own. */
export function writtenOf(contract: Contract, request: ReflectMessage): Written {
  const { desc } = request;
  const paths = pathsOf(request);
  if (paths.length === 0 || changedFields(desc).size > 0) return undefined;
  const named = namedFields(desc, paths);
  return named === undefined || named.size === 0 ? undefined : withKeys(contract, desc, named);
}

/** What a request says of a message in one of its fields. */
export function writtenIn(
  contract: Contract,
  request: ReflectMessage,
  field: DescField,
  inner: ReflectMessage,
): Written {
  if (!changedFields(request.desc).has(field)) return undefined;
  const { desc, message } = inner;
  const paths = pathsOf(request);
  const named = paths.length === 0 ? populatedFields(desc, message) : namedFields(desc, paths);
  return named && withKeys(contract, desc, named);
}
