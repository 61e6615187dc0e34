// JSON values in error messages.
import type { JsonValue } from "@bufbuild/protobuf";

const longest = 60;

/** A value as JSON, shortened if it is long. */
export function jsonText(json: JsonValue): string {
  const text = JSON.stringify(json);
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}
