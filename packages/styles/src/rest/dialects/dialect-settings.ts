// Settings of every REST server: how answers are spelled where `google.api.http` says nothing.
import type { PlainSetting } from "@roundtrip/contract";

export const dialectSettings = [
  {
    name: "dialect",
    meaning:
      "how errors, streams and statuses are spelled: by RFC 9457 and RFC 9110, as grpc-gateway does, or as Google's APIs do",
    default: "standard",
    values: ["standard", "grpc-gateway", "google"],
  },
  {
    name: "fieldNames",
    meaning: "field names in answers: those of ProtoJSON (createTime) or of the contract (create_time)",
    default: "json",
    values: ["json", "contract"],
  },
  {
    name: "unsetFields",
    meaning: "whether answers have fields without a value; by default only those of grpc-gateway",
    default: "by-dialect",
    values: ["by-dialect", "written", "omitted"],
  },
] as const satisfies readonly PlainSetting[];
