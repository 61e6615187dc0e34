// JSON values in messages for people.
import type { JsonValue } from "@bufbuild/protobuf";

const longest = 60;

/** What stands there, as JSON has it; its beginning, when that is long. */
export function jsonText(json: JsonValue): string {
  const text = JSON.stringify(json);
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}
