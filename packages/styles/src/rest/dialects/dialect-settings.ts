// Settings of every REST server: how answers are spelled where `google.api.http` says nothing.
import type { PlainSetting } from "@roundtrip/contract";

export const dialectSettings = [
  {
    name: "dialect",
    meaning: "format of errors, streams and statuses: RFC 9457 and RFC 9110, grpc-gateway's, or that of Google's APIs",
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
    meaning: "whether answers include unset fields; by-dialect includes them for grpc-gateway only",
    default: "by-dialect",
    values: ["by-dialect", "written", "omitted"],
  },
] as const satisfies readonly PlainSetting[];
