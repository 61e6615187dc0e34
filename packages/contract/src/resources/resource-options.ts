// What a contract says of its resources and references with `google.api.resource` and `google.api.resource_reference` (AIP-123 and AIP-124). The options
// are those that the contract imports.
import { type DescField, type DescMessage, getOption, hasOption, type MessageShape } from "@bufbuild/protobuf";
import type { GenExtension } from "@bufbuild/protobuf/codegenv2";
import type { FieldOptions, MessageOptions } from "@bufbuild/protobuf/wkt";
import type { Contract } from "../descriptors/contract.ts";

type Descriptor = MessageShape<DescMessage> & {
  readonly type?: string;
  readonly pattern?: readonly string[];
  readonly nameField?: string;
};

type Reference = MessageShape<DescMessage> & { readonly type?: string; readonly childType?: string };

/** `google.api.resource` of a message. */
export interface ResourceOption {
  /** For example `library.googleapis.com/Book`. */
  readonly type: string;
  /** The segments of each name pattern, with variables as `*`. */
  readonly patterns: readonly (readonly string[])[];
  /** The field with the name; `name` by default. */
  readonly nameField: string;
}

export function resourceOption({ registry }: Contract, message: DescMessage): ResourceOption | undefined {
  const option = registry.getExtension("google.api.resource") as GenExtension<MessageOptions, Descriptor> | undefined;
  if (option === undefined || !hasOption(message, option)) return undefined;
  const { type = "", pattern = [], nameField = "" } = getOption(message, option);
  return {
    type,
    patterns: pattern.map((text) => text.split("/").map((segment) => (/^\{.*\}$/.test(segment) ? "*" : segment))),
    nameField: nameField === "" ? "name" : nameField,
  };
}

/** `google.api.resource_reference` of a field: the type that it refers to, `*` for any, or the type whose parent it refers to. */
export interface ReferenceOption {
  readonly type: string;
  readonly childType: string;
}

export function referenceOption({ registry }: Contract, field: DescField): ReferenceOption | undefined {
  const name = "google.api.resource_reference";
  const option = registry.getExtension(name) as GenExtension<FieldOptions, Reference> | undefined;
  if (option === undefined || !hasOption(field, option)) return undefined;
  const { type = "", childType = "" } = getOption(field, option);
  return { type, childType };
}
