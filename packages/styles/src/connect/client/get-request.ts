// Calls without side effects as GET ("Unary-Get-Request").
import type { DescMethod } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel as Level } from "@bufbuild/protobuf/wkt";
import type { Encoding } from "../wire-form.ts";

/** Whether servers accept GET: bindings of `google.api.http` do not count. */
export function allowsGet({ idempotency, methodKind }: Pick<DescMethod, "idempotency" | "methodKind">): boolean {
  return methodKind === "unary" && idempotency === Level.NO_SIDE_EFFECTS;
}

/** The query with the message. Binary messages are base64 in the alphabet for URLs. */
export function queryOf(message: Uint8Array, encoding: Encoding): string {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const query =
    encoding === "proto"
      ? { connect: "v1", encoding, base64: "1", message: bytes.toString("base64url") }
      : { connect: "v1", encoding, message: bytes.toString() };
  return new URLSearchParams(query).toString();
}
