// The schema of the details of a fault.
import { canonicalCodes } from "@roundtrip/contract";
import { errorNamespace } from "../xml/namespaces.ts";

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
