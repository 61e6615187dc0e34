// Keys for example requests: of the first initial resource of each kind, and of one that does not exist yet.
import { ScalarType } from "@bufbuild/protobuf";
import { nameBelow, numberedText, seededAtTheTop, keyText, parentKey, type Key, type Resource } from "./resource.ts";
import type { ResourceModel } from "./resource-model.ts";
import { integerRange } from "../answers/values/number-value.ts";
import { exampleName } from "../answers/path-example.ts";

/** The parent of the first resource; empty if it has none. */
export function firstParent(model: ResourceModel, resource: Resource): string {
  const above = model.parentOf(resource);
  if (above !== undefined) return keyText(firstKey(model, above));
  const { pattern, key } = resource;
  if (pattern !== undefined) return exampleName(pattern.slice(0, -2));
  // A parent that is not a resource itself: any value will do.
  const parts = key.slice(0, -1).map(({ name, scalar }) => {
    const isText = integerRange(scalar) === undefined;
    return isText ? `${name.replace(/_(?:id|name|uuid|key)$/, "").replaceAll("_", "-")}-1` : "1";
  });
  return keyText(parts);
}

/** The key of the first resource of this kind. */
export function firstKey(model: ResourceModel, resource: Resource): Key {
  const parent = firstParent(model, resource);
  // A name can be built without its resource.
  if (resource.pattern !== undefined) return [numberedText(resource, parent, 1)];
  return model.seed(resource, parent, 1).key;
}

export function firstKeys(model: ResourceModel, resource: Resource, count: number): readonly Key[] {
  const parent = firstParent(model, resource);
  return Array.from({ length: count }, (_, at) => model.seed(resource, parent, at + 1).key);
}

/** An id that a caller could choose. */
export function ownId({ singular }: Resource): string {
  return `my-${singular.replaceAll("_", "-")}`;
}

/** A key that no resource has yet. */
export function freshKey(model: ResourceModel, resource: Resource): Key {
  const parent = firstParent(model, resource);
  const { pattern, key } = resource;
  if (pattern !== undefined) return [nameBelow(resource, parent, ownId(resource))];
  const isText = integerRange(key.at(-1)?.scalar ?? ScalarType.STRING) === undefined;
  return [...parentKey(resource, parent), isText ? ownId(resource) : String(seededAtTheTop + 1)];
}
