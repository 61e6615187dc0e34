// A request without the parts that URLs and forms cannot carry: lists of messages, maps, and values of any type.
import { clearField, clone, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";

/** Their values have types that no field declares. */
const dynamic: ReadonlySet<string> = new Set(
  ["Any", "Struct", "Value", "ListValue"].map((name) => `google.protobuf.${name}`),
);

const mostDepth = 8;

function isIntricate(field: DescField): boolean {
  if (field.fieldKind === "map") return true;
  if (field.fieldKind === "list") return field.listKind === "message";
  return field.fieldKind === "message" && dynamic.has(field.message.typeName);
}

/** Clears these fields, also in messages inside. Returns whether any was set. */
function clearIntricate(desc: DescMessage, message: Message, depth: number): boolean {
  const at = reflect(desc, message, false);
  let isChanged = false;
  for (const field of at.sortedFields) {
    if (!at.isSet(field)) continue;
    if (isIntricate(field)) {
      clearField(message, field);
      isChanged = true;
    } else if (field.fieldKind === "message" && depth < mostDepth) {
      isChanged = clearIntricate(field.message, at.get(field).message, depth + 1) || isChanged;
    }
  }
  return isChanged;
}

/** A plainer copy; undefined if the request is plain already. */
export function plainerRequest(desc: DescMessage, request: Message): Message | undefined {
  const copy = clone(desc, request);
  return clearIntricate(desc, copy, 0) ? copy : undefined;
}
