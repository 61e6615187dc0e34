// A resource: a message that standard methods (AIP-131 to AIP-135) get, list, create, update and delete by its key.
import type { DescField, DescMessage, DescService, ScalarType } from "@bufbuild/protobuf";
import { isKeyField } from "./names.ts";

/** One part of a key. Most keys have one part; resources with parents may have one for each level. */
export interface KeyPart {
  /** Its name in the request of the get method. */
  readonly name: string;
  /** Its possible names in other requests. */
  readonly aliases: readonly string[];
  readonly scalar: ScalarType;
  /** Its field in the resource; undefined for a parent that the resource does not contain. */
  readonly field: DescField | undefined;
}

export interface Resource {
  readonly message: DescMessage;
  /** In snake_case: `customer`. */
  readonly singular: string;
  /** At least one; the last one is the resource's own. */
  readonly key: readonly KeyPart[];
  /** The segments of names such as `shelves/{shelf}/books/{book}`, with variables as `*`. Undefined if keys are not such names. */
  readonly pattern: readonly string[] | undefined;
  /** The services whose methods are about this resource even if their names have no noun, such as `Insert`. */
  readonly services: ReadonlySet<DescService>;
  /** Whether other services have a resource of the same type with another key, such as a global and a regional one. */
  readonly isOneOfSeveral: boolean;
  /** The domain in google.rpc.ErrorInfo. */
  readonly domain: string;
}

/** A field by one of its names, of the type of a part of a key. */
export function fieldOfPart(
  { fields }: DescMessage,
  { name, aliases, scalar }: Pick<KeyPart, "name" | "aliases" | "scalar">,
): DescField | undefined {
  return [name, ...aliases]
    .map((candidate) => fields.find((field) => field.name === candidate))
    .find((field) => field !== undefined && isKeyField(field) && field.scalar === scalar);
}
