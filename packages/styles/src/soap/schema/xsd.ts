// XML Schema of a contract's messages: a complex type for each message, a simple type for each enum, in the namespace of their package.
import type { DescEnum, DescField, DescMessage } from "@bufbuild/protobuf";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { canonicalCodes, commentAbove, type ContractElement, type Operation } from "@roundtrip/contract";
import { fieldsOf, packageNamespace, particlesOf, typeName } from "./names.ts";
import { isUnwrapped } from "../../shared/local-values.ts";
import { keyForm, simpleMessages, valueForm } from "../values/field-form.ts";
import { durationPattern, timePattern } from "../values/time-forms.ts";
import { errorNamespace, escapedAnyText } from "../xml.ts";

export type DescType = DescMessage | DescEnum;

/** Whether a field of this message type is a simple type of XML Schema itself, without a type of its own. */
function isBuiltIn(type: DescType): boolean {
  return type.kind === "message" && isWrapperDesc(type);
}

/** The types that the messages of these operations consist of, apart from those of XML Schema. Without recursion: they may be thousands. */
export function typesOf(operations: readonly Operation[]): readonly DescType[] {
  const roots = operations.flatMap(({ input, output }) => [input, output]);
  const seen = new Set<DescType>(roots.filter((root) => !isInline(root)));
  const messages = new Set(roots);
  // The loop also visits types that it adds.
  for (const message of messages) {
    for (const field of message.fields) {
      const type = field.message ?? field.enum;
      if (type === undefined || isBuiltIn(type)) continue;
      seen.add(type);
      if (type.kind === "message" && !simpleMessages.has(type.typeName)) messages.add(type);
    }
  }
  return [...seen];
}

/** Whether a message as a whole body has no type of its own: as a field it is text. */
export function isInline(message: DescMessage): boolean {
  return isBuiltIn(message) || simpleMessages.has(message.typeName);
}

/** `xs:documentation` with the comment of an element of the contract; empty without one. */
function annotation(desc: ContractElement): string {
  const comment = commentAbove(desc);
  if (comment === "") return "";
  return `<xs:annotation><xs:documentation>${escapedAnyText(comment)}</xs:documentation></xs:annotation>`;
}

/** Writes the schemas. @param prefixOf the prefix of a namespace in the document */
export class SchemaWriter {
  readonly #prefixOf: (namespace: string) => string;

  constructor(prefixOf: (namespace: string) => string) {
    this.#prefixOf = prefixOf;
  }

  reference(type: DescType): string {
    return `${this.#prefixOf(packageNamespace(type.file.proto.package))}:${typeName(type)}`;
  }

  declaration(type: DescType): string {
    if (type.kind === "enum") return enumText(type);
    const pattern = type.typeName === "google.protobuf.Timestamp" ? timePattern : durationPattern;
    const simple = simpleMessages.get(type.typeName);
    if (simple === undefined) {
      return `<xs:complexType name="${typeName(type)}">${annotation(type)}${this.sequence(type)}</xs:complexType>`;
    }
    const restriction = `<xs:restriction base="xs:${simple.type}"><xs:pattern value="${pattern}"/></xs:restriction>`;
    return `<xs:simpleType name="${typeName(type)}">${restriction}</xs:simpleType>`;
  }

  sequence(message: DescMessage): string {
    const particles = particlesOf(message).map((particle) => {
      const elements = fieldsOf(particle).map((field) => this.#element(field));
      return particle.kind === "oneof"
        ? `<xs:choice minOccurs="0">${elements.join("")}</xs:choice>`
        : elements.join("");
    });
    return `<xs:sequence>${particles.join("")}</xs:sequence>`;
  }

  #element(field: DescField): string {
    const occurs = field.fieldKind === "list" || field.fieldKind === "map" ? ' maxOccurs="unbounded"' : "";
    // One member of a choice is chosen or none: the choice itself may be absent.
    const least = field.oneof === undefined ? ' minOccurs="0"' : "";
    const nillable = isUnwrapped(field) ? ' nillable="true"' : "";
    const head = `<xs:element name="${field.name}"`;
    if (field.fieldKind !== "map") {
      const whole = `${head} type="${this.#typeOf(field)}"${least}${occurs}${nillable}`;
      const text = annotation(field);
      return text === "" ? `${whole}/>` : `${whole}>${text}</xs:element>`;
    }
    const key = `<xs:element name="key" type="xs:${keyForm(field).type}" minOccurs="0"/>`;
    const value = `<xs:element name="value" type="${this.#typeOf(field)}" minOccurs="0"/>`;
    const entry = `<xs:complexType><xs:sequence>${key}${value}</xs:sequence></xs:complexType>`;
    return `${head}${least}${occurs}>${annotation(field)}${entry}</xs:element>`;
  }

  #typeOf(field: DescField): string {
    const type = field.message ?? field.enum;
    if (type !== undefined && !isBuiltIn(type)) return this.reference(type);
    const form = valueForm(field);
    return form.kind === "text" ? `xs:${form.form.type}` : "xs:anyType";
  }
}

function enumText(type: DescEnum): string {
  const values = type.values.map(({ name }) => `<xs:enumeration value="${name}"/>`).join("");
  const restriction = `<xs:restriction base="xs:string">${values}</xs:restriction>`;
  return `<xs:simpleType name="${typeName(type)}">${annotation(type)}${restriction}</xs:simpleType>`;
}

const codes = Object.keys(canonicalCodes)
  .map((code) => `<xs:enumeration value="${code}"/>`)
  .join("");

function optionalText(name: string): string {
  return `<xs:element name="${name}" type="xs:string" minOccurs="0"/>`;
}

function manyOf(name: string, type: string): string {
  return `<xs:element name="${name}" type="err:${type}" minOccurs="0" maxOccurs="unbounded"/>`;
}

function complexType(name: string, ...elements: readonly string[]): string {
  return `<xs:complexType name="${name}"><xs:sequence>${elements.join("")}</xs:sequence></xs:complexType>`;
}

/** Requires the prefix `err` for its own namespace. */
export const errorSchema = [
  `<xs:schema targetNamespace="${errorNamespace}">`,
  `<xs:simpleType name="Code"><xs:restriction base="xs:string">${codes}</xs:restriction></xs:simpleType>`,
  complexType(
    "MetadataEntry",
    '<xs:element name="key" type="xs:string"/>',
    '<xs:element name="value" type="xs:string"/>',
  ),
  complexType("FieldViolation", optionalText("field"), optionalText("description"), optionalText("reason")),
  complexType(
    "Error",
    '<xs:element name="code" type="err:Code"/>',
    optionalText("reason"),
    optionalText("domain"),
    manyOf("metadata", "MetadataEntry"),
    manyOf("violations", "FieldViolation"),
  ),
  '<xs:element name="Error" type="err:Error"/>',
  "</xs:schema>",
].join("");
