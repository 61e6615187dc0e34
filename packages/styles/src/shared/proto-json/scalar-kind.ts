// Kinds of scalar types: types of one kind have the same values and ProtoJSON, and differ in the binary format only.
import { ScalarType } from "@bufbuild/protobuf";

export type ScalarKind = "bool" | "string" | "bytes" | "double" | "float" | "int32" | "uint32" | "int64" | "uint64";

const kinds: Readonly<Record<ScalarType, ScalarKind>> = {
  [ScalarType.BOOL]: "bool",
  [ScalarType.STRING]: "string",
  [ScalarType.BYTES]: "bytes",
  [ScalarType.DOUBLE]: "double",
  [ScalarType.FLOAT]: "float",
  [ScalarType.INT32]: "int32",
  [ScalarType.SINT32]: "int32",
  [ScalarType.SFIXED32]: "int32",
  [ScalarType.UINT32]: "uint32",
  [ScalarType.FIXED32]: "uint32",
  [ScalarType.INT64]: "int64",
  [ScalarType.SINT64]: "int64",
  [ScalarType.SFIXED64]: "int64",
  [ScalarType.UINT64]: "uint64",
  [ScalarType.FIXED64]: "uint64",
};

export function kindOf(scalar: ScalarType): ScalarKind {
  return kinds[scalar];
}
