// How contract changes affect existing gRPC callers.
import { protobufChanges } from "../shared/protobuf.ts";

export const breakingChanges = protobufChanges([]);
