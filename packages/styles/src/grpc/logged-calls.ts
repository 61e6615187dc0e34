// Requests of gRPC and gRPC-Web in logs: the path names the operation. Their messages are not read.
import type { LoggedCalls } from "../basics/style.ts";
import { operationsByPath, splitTarget } from "../shared/http/captured-calls.ts";

const mediaType = /^application\/grpc(?:-web(?:-text)?)?(?:\+(?:proto|json))?$/;

export const loggedCalls: LoggedCalls = (contract) => {
  const byPath = operationsByPath(contract);
  // oxlint-disable-next-line require-await -- other styles wait
  return async (request) => {
    const operation = byPath.get(splitTarget(request.target).path);
    const isGrpc = request.mediaType === "" || mediaType.test(request.mediaType);
    if (operation === undefined || request.method !== "POST" || !isGrpc) return [];
    return [{ operation, request: undefined, isWhole: false }];
  };
};
