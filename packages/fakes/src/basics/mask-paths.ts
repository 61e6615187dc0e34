// The fields that a field mask can name.
import type { DescField } from "@bufbuild/protobuf";
import { protoCamelCase, protoSnakeCase } from "@bufbuild/protobuf/reflect";

/** Whether a mask with this field can be written as JSON, which has paths in lowerCamelCase: not every name can be read back from that. */
export function fitsMask({ name }: DescField): boolean {
  return protoSnakeCase(protoCamelCase(name)) === name;
}
