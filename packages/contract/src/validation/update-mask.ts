// Updates in part (AIP-134): a request with a resource and a mask of the fields that it changes. The resource's other fields may be missing.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import { perDescriptor } from "../descriptors/per-descriptor.ts";

/** The number of `google.api.resource` on messages. */
const resourceOption = 1053;

const maskNames: ReadonlySet<string> = new Set(["update_mask", "field_mask", "mask"]);

/** The mask of a request that changes a resource in part; undefined for other requests. */
export function updateMaskOf({ fields }: DescMessage): DescField | undefined {
  return fields.find(({ name, message }) => maskNames.has(name) && message?.typeName === FieldMaskSchema.typeName);
}

/** The messages that a file's requests change in part. */
const changedInPart = perDescriptor((file: DescMessage["file"]): ReadonlySet<DescMessage> => {
  const requests = file.messages.filter((message) => updateMaskOf(message) !== undefined);
  const held = requests.flatMap(({ fields }) => fields.map(({ message }) => message));
  return new Set(held.filter((message) => message !== undefined));
});

/** Whether requests may have only some fields of a message: it is a resource, or stands beside a mask in its own file. */
export const mayBePartial = perDescriptor((message: DescMessage): boolean => {
  const isResource = message.proto.options?.$unknown?.some(({ no }) => no === resourceOption) === true;
  return isResource || changedInPart(message.file).has(message);
});
