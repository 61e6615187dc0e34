// Writes messages as elements. Compiles each type once into the writers of its fields.
import { maxNesting, memoize } from "@roundtrip/contract";
import { ScalarType, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { type Members, setCheck } from "../../shared/local-values.ts";
import { fieldsOf, particlesOf } from "../schema/names.ts";
import { valueForm, type ValueForm } from "./field-form.ts";
import { scalarForm } from "./scalar-forms.ts";

/** Writes the elements of a message. Throws an Error for values that the contract or XML does not allow. @param depth of the message, from 1 */
export type WriteMessage = (message: Message, depth: number) => string;

type WriteField = (members: Members, depth: number) => string;
type WriteValue = (local: unknown, depth: number) => string;

export const messageWriter = memoize((desc: DescMessage): WriteMessage => {
  let fields: readonly WriteField[] | undefined;
  return (message, depth) => {
    if (depth > maxNesting) throw new Error(`messages nest more than ${maxNesting} levels deep`);
    // Compiled on first use, because types may be recursive.
    fields ??= particlesOf(desc).flatMap((particle) => fieldsOf(particle).map(fieldWriter));
    let text = "";
    for (const write of fields) text += write(message, depth);
    return text;
  };
});

function valueWriter(form: ValueForm): WriteValue {
  if (form.kind === "text") return form.form.write;
  const write = messageWriter(form.desc);
  return (local, depth) => write(form.toMessage(local), depth + 1);
}

function fieldWriter(field: DescField): WriteField {
  const { name, localName, oneof } = field;
  const [begin, end] = [`<${name}>`, `</${name}>`];
  const write = valueWriter(valueForm(field));
  if (field.fieldKind === "map") return mapWriter(field, write);
  if (field.fieldKind === "list") {
    return (members, depth) => {
      let text = "";
      for (const item of members[localName] as readonly unknown[]) text += begin + write(item, depth) + end;
      return text;
    };
  }
  if (oneof !== undefined) {
    return (members, depth) => {
      const chosen = members[oneof.localName] as { readonly case?: string; readonly value?: unknown };
      return chosen.case === localName ? begin + write(chosen.value, depth) + end : "";
    };
  }
  const isSet = setCheck(field);
  return (members, depth) => (isSet(members) ? begin + write(members[localName], depth) + end : "");
}

function mapWriter(field: DescField & { readonly fieldKind: "map" }, write: WriteValue): WriteField {
  const { name, localName } = field;
  const [begin, between, end] = [`<${name}><key>`, "</key><value>", `</value></${name}>`];
  const writeKey = keyWriter(field);
  return (members, depth) => {
    const map = members[localName] as Members;
    let text = "";
    for (const key of Object.keys(map)) text += begin + writeKey(key) + between + write(map[key], depth) + end;
    return text;
  };
}

/** Writes a key, which is always text in JavaScript. */
function keyWriter({ mapKey }: DescField & { readonly fieldKind: "map" }): (key: string) => string {
  const form = scalarForm(mapKey);
  return mapKey === ScalarType.STRING ? form.write : (key) => form.write(form.read(key));
}
