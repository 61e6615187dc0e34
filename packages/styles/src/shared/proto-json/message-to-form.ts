// Writes the forms of ProtoJSON other than the short one, for servers that need not be as fast.
import { toJson, type DescMessage, type Registry } from "@bufbuild/protobuf";
import type { MessageJsonForm } from "./json-form.ts";
import { lostInJson } from "./lost-in-json.ts";
import type { MessageToJson } from "./message-to-json.ts";
import { unsetFields } from "./unset-fields.ts";

/** Compiles a writer of a type's ProtoJSON in a form. @param registry resolves the types in Any, and extensions */
export function messageToForm(type: DescMessage, registry: Registry, form: MessageJsonForm): MessageToJson {
  const { hasContractNames: useProtoFieldName, hasUnsetFields: alwaysEmitImplicit } = form;
  const check = lostInJson(type);
  const options = { registry, useProtoFieldName, alwaysEmitImplicit };
  const addUnset = alwaysEmitImplicit ? unsetFields(type, registry, form) : undefined;
  return (message) => {
    check?.(message);
    const json = toJson(type, message, options);
    addUnset?.(json);
    return json;
  };
}
