// Messages that ProtoJSON writes as a single value, not as an object with fields. As a request, such a message must be the whole body.
import type { DescMessage } from "@bufbuild/protobuf";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";

const others: ReadonlySet<string> = new Set([
  "google.protobuf.Duration",
  "google.protobuf.FieldMask",
  "google.protobuf.ListValue",
  "google.protobuf.Timestamp",
  "google.protobuf.Value",
]);

/** True for a message whose ProtoJSON is a string, a number, a list or any value. */
export function isOneJsonValue(message: DescMessage): boolean {
  return isWrapperDesc(message) || others.has(message.typeName);
}
