// What a resource is: a message that standard methods (AIP-131 to AIP-135) get, list, create, update and delete by its key.
import type { DescField, DescMessage, ScalarType } from "@bufbuild/protobuf";

/** One part of a key. Most keys have one part; those below a parent may have one for each level. */
export interface KeyPart {
  /** As the request of the method that gets a resource calls it. */
  readonly name: string;
  /** What other requests may call it. */
  readonly aliases: readonly string[];
  readonly scalar: ScalarType;
  /** Where the resource itself has it; undefined for a parent that it does not name. */
  readonly field: DescField | undefined;
  /** The field of the resource whose message has it, as `metadata` of Kubernetes; undefined where the resource has it itself. */
  readonly within: (DescField & { fieldKind: "message" }) | undefined;
}

/** A key's parts as text, in order. */
export type Key = readonly string[];

export interface Resource {
  readonly message: DescMessage;
  /** In snake_case: `customer`. */
  readonly singular: string;
  /** At least one; the last is the resource's own. */
  readonly key: readonly KeyPart[];
  /** The segments of names such as `shelves/{shelf}/books/{book}`; variables are `*`. Undefined where a key is no such name. */
  readonly pattern: readonly string[] | undefined;
  /** For google.rpc.ErrorInfo. */
  readonly domain: string;
}

/** What stands for a key in maps; empty for no key at all. */
export function keyText(key: Key): string {
  return key.length > 1 ? JSON.stringify(key) : (key[0] ?? "");
}

/** What a resource lies below; empty for one that lies below nothing. */
export function parentText({ pattern, key: parts }: Resource, key: Key): string {
  if (pattern !== undefined) return keyText(key).split("/").slice(0, -2).join("/");
  return parts.length === 1 ? "" : keyText(key.slice(0, -1));
}

/** The parts of a key that a resource lies below, of what {@link parentText} gives. */
export function parentKey({ key: parts }: Resource, parent: string): Key {
  if (parent === "") return [];
  return parts.length > 2 ? (JSON.parse(parent) as Key) : [parent];
}
