// The grpc-js status of a call.
import { Metadata as GrpcMetadata, status, type StatusObject } from "@grpc/grpc-js";
import type { Metadata } from "@roundtrip/contract";
import { detailsTrailer, type GrpcStatus } from "@roundtrip/styles/grpc/server";
import { grpcMetadataOf } from "../../grpc-js/metadata.ts";
import { asBuffer } from "../../grpc-js/method-definition.ts";

/** @param answerMetadata metadata of the handler; undefined if the headers already carry it. */
export function statusObjectOf(
  { code, message, details }: GrpcStatus,
  answerMetadata?: Metadata,
): Partial<StatusObject> {
  const bare = { code: status[code], details: message };
  if (details === undefined && answerMetadata === undefined) return bare;
  const metadata = answerMetadata === undefined ? new GrpcMetadata() : grpcMetadataOf(answerMetadata);
  if (details !== undefined) metadata.set(detailsTrailer, asBuffer(details));
  return { ...bare, metadata };
}
