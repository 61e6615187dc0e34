// Messages that ProtoJSON writes as one value rather than as an object of their fields: as a request, such a message is a body or nothing.
import type { DescMessage } from "@bufbuild/protobuf";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";

const others: ReadonlySet<string> = new Set([
  "google.protobuf.Duration",
  "google.protobuf.FieldMask",
  "google.protobuf.ListValue",
  "google.protobuf.Timestamp",
  "google.protobuf.Value",
]);

/** True for a message whose ProtoJSON is a text, a number, a list or any value. */
export function isOneJsonValue(message: DescMessage): boolean {
  return isWrapperDesc(message) || others.has(message.typeName);
}
