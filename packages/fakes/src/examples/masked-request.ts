// Makes the request of a partial update acceptable: its mask names a field of the message beside it, and no field that cannot be changed is sent.
import type { DescField } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import type { FieldMask } from "@bufbuild/protobuf/wkt";
import type { Operation } from "@roundtrip/contract";
import { hasBehavior, updateMaskOf } from "@roundtrip/contract/field-rules";
import type { ResourceModel } from "../resources/resource-model.ts";
import type { RequestStep } from "./resource-request.ts";

type Structure = DescField & { fieldKind: "message" };

function isStructure(field: DescField): field is Structure {
  return field.fieldKind === "message" && !field.message.typeName.startsWith("google.protobuf.");
}

/** Whether an update may change a field: it is neither a key nor a field that only the service or only a new resource sets. */
function isChangeable(field: DescField, keys: ReadonlySet<DescField | undefined>): boolean {
  if (keys.has(field) || field.name === "etag") return false;
  return (["immutable", "identifier", "output-only"] as const).every((behavior) => !hasBehavior(field, behavior));
}

/** For a request with a mask; does nothing to others. A mask that the request does not have is not added. */
export function masked({ input }: Operation, model: ResourceModel): RequestStep {
  const mask = updateMaskOf(input);
  const held = input.fields.filter(isStructure);
  const [changed] = held;
  if (mask?.fieldKind !== "message" || changed === undefined || held.length > 1) return () => undefined;
  const keys = new Set(model.resources.flatMap(({ key }) => key.map(({ field }) => field)));
  return (request) => {
    const values = reflect(input, request, false);
    if (!values.isSet(changed)) return;
    const resource = values.get(changed);
    for (const field of resource.fields) if (hasBehavior(field, "immutable") && !keys.has(field)) resource.clear(field);
    if (!values.isSet(mask)) return;
    const first = resource.fields.find((field) => resource.isSet(field) && isChangeable(field, keys));
    const paths = first === undefined ? ["*"] : [first.name];
    (values.get(mask).message as FieldMask).paths = paths;
  };
}
