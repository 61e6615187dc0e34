// Keys that requests to begin with name: of the first resource of each kind that a fake has from the start, and of one that it has not.
import { ScalarType } from "@bufbuild/protobuf";
import { numberedText, seededAtTheTop } from "./numbered-key.ts";
import { keyText, parentKey, type Key, type Resource } from "./resource.ts";
import type { ResourceModel } from "./resource-model.ts";
import { integerRange } from "../answers/values/number-value.ts";
import { exampleName } from "../answers/path-example.ts";

/** What the first resource lies below; empty for one that lies below nothing. */
export function firstParent(model: ResourceModel, resource: Resource): string {
  const above = model.parentOf(resource);
  if (above !== undefined) return keyText(firstKey(model, above));
  const { pattern, key } = resource;
  if (pattern !== undefined) return exampleName(pattern.slice(0, -2));
  // Whatever stands there is a parent: nothing is known of it.
  const parts = key.slice(0, -1).map(({ name, scalar }) => {
    const isText = integerRange(scalar) === undefined;
    return isText ? `${name.replace(/_(?:id|name|uuid|key)$/, "").replaceAll("_", "-")}-1` : "1";
  });
  return keyText(parts);
}

/** The key of the first resource of this kind. */
export function firstKey(model: ResourceModel, resource: Resource): Key {
  const parent = firstParent(model, resource);
  // A name is known without its resource.
  if (resource.pattern !== undefined) return [numberedText(resource, parent, 1)];
  return model.seed(resource, parent, 1).key;
}

/** Keys of the first few of them. */
export function firstKeys(model: ResourceModel, resource: Resource, count: number): readonly Key[] {
  const parent = firstParent(model, resource);
  return Array.from({ length: count }, (_, at) => model.seed(resource, parent, at + 1).key);
}

/** What somebody calls a resource of theirs. */
export function ownId({ singular }: Resource): string {
  return `my-${singular.replaceAll("_", "-")}`;
}

/** A key that no resource has yet. */
export function freshKey(model: ResourceModel, resource: Resource): Key {
  const parent = firstParent(model, resource);
  const { pattern, key } = resource;
  if (pattern !== undefined) return [[parent, pattern.at(-2), ownId(resource)].filter((part) => part !== "").join("/")];
  const isText = integerRange(key.at(-1)?.scalar ?? ScalarType.STRING) === undefined;
  return [...parentKey(resource, parent), isText ? ownId(resource) : String(seededAtTheTop + 1)];
}
