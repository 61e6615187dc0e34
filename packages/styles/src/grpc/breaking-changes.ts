// How contract changes affect existing gRPC callers.
import { protobufChanges } from "../shared/breaking-changes/protobuf-changes.ts";

export const breakingChanges = protobufChanges([]);
