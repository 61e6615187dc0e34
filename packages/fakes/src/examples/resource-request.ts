// Example requests about resources: with the keys of those that a fake has, and updates that name a field which may change.
import { type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import type { FieldMask } from "@bufbuild/protobuf/wkt";
import type { Operation } from "@roundtrip/contract";
import { hasBehavior, hasBehaviorInside, isSentAlways, updateMaskOf } from "@roundtrip/contract/field-rules";
import { fieldOfPart, nounAfter, type Resource } from "@roundtrip/contract/resources";
import { fitsMask } from "../basics/names.ts";
import { innerOf, parentField, resourceField, valueOfPart, writePart } from "../resources/keys.ts";
import { scalarField } from "../resources/request-properties.ts";
import type { About, ResourceMethods } from "../resources/resource-methods.ts";
import { firstKey, firstKeys, firstParent, freshKey, ownId, type ResourceModel } from "../resources/resource-model.ts";
import { type Key, parentKey } from "../resources/resource.ts";

export type RequestStep = (request: Message) => void;

/** Where a request has a part of a resource's key: beside the resource, in it, or both. */
function keyFieldsOf(
  { input }: Operation,
  resource: Resource,
  part: Resource["key"][number],
): readonly ((request: Message) => readonly [DescMessage, DescField, Message])[] {
  const own = fieldOfPart(input, part);
  const around = resourceField(input, resource);
  const { field } = part;
  return [
    ...(own === undefined ? [] : [(request: Message) => [input, own, request] as const]),
    ...(around?.fieldKind !== "message" || field === undefined
      ? []
      : [(request: Message) => [field.parent, field, innerOf(request, around)] as const]),
  ];
}

/** Writes the given parts of the key. */
function naming(operation: Operation, resource: Resource, key: Key): RequestStep {
  return (request) => {
    for (const [at, text] of key.entries()) {
      const part = resource.key[at];
      for (const keyField of part === undefined ? [] : keyFieldsOf(operation, resource, part))
        writePart(...keyField(request), text);
    }
  };
}

function below({ contract }: ResourceModel, operation: Operation, resource: Resource, parent: string): RequestStep {
  const field = parentField(contract, operation, resource);
  if (resource.pattern === undefined) return naming(operation, resource, parentKey(resource, parent));
  return (request) => {
    if (field !== undefined) writePart(operation.input, field, request, parent);
  };
}

/** Whether a URL names the new resource. */
function isInPath({ bindings: [{ path }] }: Operation, { key }: Resource): boolean {
  const last = key.at(-1);
  const names = last === undefined ? [] : [last.name, ...last.aliases];
  return path.variables.some(({ fieldPath }) => names.includes(fieldPath.at(-1) ?? ""));
}

/** Clears the last part of the key, so that the service chooses it, unless the URL contains it. */
function unnamed(operation: Operation, resource: Resource): RequestStep {
  const last = isInPath(operation, resource) ? undefined : resource.key.at(-1);
  const keyFields = last === undefined ? [] : keyFieldsOf(operation, resource, last);
  const chosen = scalarField(operation.input, [`${resource.singular}_id`, "resource_id"], [ScalarType.STRING]);
  return (request) => {
    for (const keyField of keyFields) {
      const [desc, field, message] = keyField(request);
      reflect(desc, message, false).clear(field);
    }
    if (chosen !== undefined && resource.pattern !== undefined)
      writePart(operation.input, chosen, request, ownId(resource));
  };
}

/** Clears the fields that the service sets. */
function stripped({ input }: Operation, resource: Resource, methods: ResourceMethods): RequestStep {
  const around = resourceField(input, resource);
  return (request) => {
    const kept = methods.keptOf(resource);
    if (input === resource.message) kept?.strip(request);
    else if (around?.fieldKind === "message") kept?.strip(innerOf(request, around));
  };
}

/** The second key in a request that renames a resource: `new_name`. */
function renamed({ input }: Operation, resource: Resource, key: Key): RequestStep {
  const last = resource.key.at(-1);
  const names = last === undefined ? [] : [last.name, ...last.aliases].map((name) => `new_${name}`);
  const field = last === undefined ? undefined : scalarField(input, names, [last.scalar]);
  return (request) => {
    if (field !== undefined) writePart(input, field, request, key.at(-1) ?? "");
  };
}

/** Replaces the made-up keys of a batch request. */
function listed({ input }: Operation, resource: Resource, keysOf: (count: number) => readonly Key[]): RequestStep {
  const [only] = resource.key;
  const field = input.fields.find(
    (candidate) =>
      candidate.fieldKind === "list" && candidate.listKind === "scalar" && candidate.scalar === only?.scalar,
  );
  return (request) => {
    if (field?.fieldKind !== "list" || field.listKind !== "scalar") return;
    const list = reflect(input, request, false).get(field);
    const keys = keysOf(Math.max(2, list.size));
    list.clear();
    for (const key of keys) list.add(valueOfPart(field.scalar, key.at(-1) ?? ""));
  };
}

/** Clears what a list is searched for: a made-up word finds nothing. */
function unsearched({ input }: Operation): RequestStep {
  const field = scalarField(input, ["query", "q", "search"], [ScalarType.STRING]);
  return (request) => {
    if (field !== undefined) reflect(input, request, false).clear(field);
  };
}

/** Deletes with what is below: the first resources of a fake have children. */
function forced({ input }: Operation): RequestStep {
  const field = scalarField(input, ["force"], [ScalarType.BOOL]);
  return (request) => {
    if (field !== undefined) reflect(input, request, false).set(field, true);
  };
}

/** The steps that make a request answerable, in order. Skip a step if its result breaks the contract's rules. */
export function resourceSteps(
  operation: Operation,
  { resource, verb }: About,
  methods: ResourceMethods,
): readonly RequestStep[] {
  const { model } = methods;
  const inFirstParent = (): RequestStep => below(model, operation, resource, firstParent(model, resource));
  switch (verb) {
    case "list":
      return [inFirstParent(), unsearched(operation)];
    case "create":
      return [
        stripped(operation, resource, methods),
        naming(operation, resource, freshKey(model, resource)),
        unnamed(operation, resource),
        inFirstParent(),
      ];
    case "batch-get":
      return [inFirstParent(), listed(operation, resource, (count) => firstKeys(model, resource, count))];
    case "update":
      return [stripped(operation, resource, methods), naming(operation, resource, firstKey(model, resource))];
    case "delete":
      return [naming(operation, resource, firstKey(model, resource)), forced(operation)];
    case "get":
    case "attribute":
      return [
        naming(operation, resource, firstKey(model, resource)),
        renamed(operation, resource, freshKey(model, resource)),
      ];
  }
}

type Structure = DescField & { fieldKind: "message" };

function isStructure(field: DescField): field is Structure {
  return field.fieldKind === "message" && !field.message.typeName.startsWith("google.protobuf.");
}

/** Whether an update may change a field: it is neither a key nor a field that only the service or only a new resource sets. */
function isChangeable(field: DescField, keys: ReadonlySet<DescField | undefined>): boolean {
  if (keys.has(field) || field.name === "etag") return false;
  return (["immutable", "identifier", "output-only"] as const).every((behavior) => !hasBehavior(field, behavior));
}

/** Whether an update may send a field whole: nothing inside it is fixed. */
function isFreeInside({ message }: DescField): boolean {
  return message === undefined || !hasBehaviorInside(message, "immutable");
}

/**
 * Clears the fields that cannot be changed, except keys. One that its message requires stays, and then the message is cleared instead if it may be.
 * @returns whether such a field stays in the message
 */
function clearFixed(message: ReflectMessage, keys: ReadonlySet<DescField | undefined>, isTop: boolean): boolean {
  let stays = false;
  for (const field of message.fields) {
    if (!message.isSet(field) || keys.has(field)) continue;
    if (hasBehavior(field, "immutable")) {
      if (isTop || !isSentAlways(field)) message.clear(field);
      else stays = true;
    } else if (field.fieldKind === "message" && !isFreeInside(field)) {
      const isFixed = clearFixed(message.get(field), keys, false);
      if (isFixed && !isSentAlways(field)) message.clear(field);
      else stays ||= isFixed;
    }
  }
  return stays;
}

/** For a request that changes a resource; does nothing to others. A mask that the request does not have is not added. */
export function masked({ input, method }: Operation, model: ResourceModel): RequestStep {
  const mask = updateMaskOf(input);
  const structures = input.fields.filter(isStructure);
  const [changed] = structures;
  const isUpdate = mask !== undefined || nounAfter("update", method.name) !== undefined;
  if (!isUpdate || changed === undefined || structures.length > 1) return () => undefined;
  const keys = new Set(model.resources.flatMap(({ key }) => key.map(({ field }) => field)));
  return (request) => {
    const values = reflect(input, request, false);
    if (!values.isSet(changed)) return;
    const resource = values.get(changed);
    clearFixed(resource, keys, true);
    if (mask?.fieldKind !== "message" || !values.isSet(mask)) return;
    const possible = resource.fields.filter(
      (field) => resource.isSet(field) && isChangeable(field, keys) && fitsMask(field),
    );
    const first = possible.find(isFreeInside) ?? possible[0];
    (values.get(mask).message as FieldMask).paths = first === undefined ? ["*"] : [first.name];
  };
}
