// Enums as xs:string with the names of their values.
import type { DescEnum } from "@bufbuild/protobuf";
import { trimmed, unreadable, unwritable, type TextForm } from "./text-form.ts";
import { typeName } from "../schema/names.ts";

const known = new WeakMap<DescEnum, TextForm>();

function formOf(desc: DescEnum): TextForm {
  const type = typeName(desc);
  const byName = new Map(desc.values.map(({ name, number }) => [name, number]));
  return {
    type,
    write(value) {
      const name = typeof value === "number" ? desc.value[value]?.name : undefined;
      if (name === undefined) throw unwritable(value, type);
      return name;
    },
    read(text) {
      const number = byName.get(trimmed(text));
      if (number === undefined) throw unreadable(text, type);
      return number;
    },
  };
}

export function enumForm(desc: DescEnum): TextForm {
  let form = known.get(desc);
  if (form === undefined) known.set(desc, (form = formOf(desc)));
  return form;
}
