// Makes the request of a partial update acceptable: its mask names a field of the message beside it, and no field that cannot be changed is sent.
import type { DescField } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import type { FieldMask } from "@bufbuild/protobuf/wkt";
import type { Operation } from "@roundtrip/contract";
import { hasBehavior, hasBehaviorInside, isSentAlways, updateMaskOf } from "@roundtrip/contract/field-rules";
import { fitsMask, nounAfter } from "../basics/names.ts";
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

/** Whether an update may send a field whole: nothing inside it is fixed. */
function isFreeInside({ message }: DescField): boolean {
  return message === undefined || !hasBehaviorInside(message, "immutable");
}

/**
 * Clears the fields that cannot be changed, except keys. One that its message requires stays, and then the message is cleared instead if it may be.
 * @returns whether such a field stays in the message
 */
function clearFixed(message: ReflectMessage, keys: ReadonlySet<DescField | undefined>, isTop: boolean): boolean {
  let stays = false;
  for (const field of message.fields) {
    if (!message.isSet(field) || keys.has(field)) continue;
    if (hasBehavior(field, "immutable")) {
      if (isTop || !isSentAlways(field)) message.clear(field);
      else stays = true;
    } else if (field.fieldKind === "message" && !isFreeInside(field)) {
      const isFixed = clearFixed(message.get(field), keys, false);
      if (isFixed && !isSentAlways(field)) message.clear(field);
      else stays ||= isFixed;
    }
  }
  return stays;
}

/** For a request that changes a resource; does nothing to others. A mask that the request does not have is not added. */
export function masked({ input, method }: Operation, model: ResourceModel): RequestStep {
  const mask = updateMaskOf(input);
  const held = input.fields.filter(isStructure);
  const [changed] = held;
  const isUpdate = mask !== undefined || nounAfter("update", method.name) !== undefined;
  if (!isUpdate || changed === undefined || held.length > 1) return () => undefined;
  const keys = new Set(model.resources.flatMap(({ key }) => key.map(({ field }) => field)));
  return (request) => {
    const values = reflect(input, request, false);
    if (!values.isSet(changed)) return;
    const resource = values.get(changed);
    clearFixed(resource, keys, true);
    if (mask?.fieldKind !== "message" || !values.isSet(mask)) return;
    const possible = resource.fields.filter(
      (field) => resource.isSet(field) && isChangeable(field, keys) && fitsMask(field),
    );
    const first = possible.find(isFreeInside) ?? possible[0];
    (values.get(mask).message as FieldMask).paths = first === undefined ? ["*"] : [first.name];
  };
}
