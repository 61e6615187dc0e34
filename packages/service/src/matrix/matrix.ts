// The matrix service: powers from a pool of threads or from a cache, with their queue and compute times.
import { create } from "@bufbuild/protobuf";
import { DurationSchema, type Duration } from "@bufbuild/protobuf/wkt";
import { CallError, handlersOf, type Handlers } from "@roundtrip/contract";
import {
  CacheStatus,
  MatrixService,
  PowerResponseSchema,
  type Matrix,
  type PowerResponse,
} from "@roundtrip/contract/gen/roundtrip/v1/matrix_pb";
import { hrtime } from "node:process";
import { powerKey, type PowerCache } from "./power-cache.ts";
import { PowerRequest, type PowerPool } from "./power-pool.ts";

const nsPerSecond = 1_000_000_000n;

function durationOf(ns: bigint): Duration {
  return create(DurationSchema, { seconds: ns / nsPerSecond, nanos: Number(ns % nsPerSecond) });
}

/** Throws INVALID_ARGUMENT unless the number of elements is the square of the size. The contract's rules require the matrix itself. */
function squareOf(matrix: Matrix | undefined): Matrix {
  if (matrix !== undefined && matrix.elements.length === matrix.size ** 2) return matrix;
  const { size = 0, elements = [] } = matrix ?? {};
  const description = `must be square: ${size} rows and columns have ${size ** 2} elements, not ${elements.length}`;
  const violation = { field: "matrix.elements", description, reason: "matrix.square" };
  throw new CallError("INVALID_ARGUMENT", `${violation.field}: ${description}`, { violations: [violation] });
}

function answer(
  cacheStatus: CacheStatus,
  { size }: Matrix,
  elements: number[],
  [queueNs, serviceNs]: readonly [bigint, bigint],
): PowerResponse {
  return create(PowerResponseSchema, {
    power: { size, elements },
    queueTime: durationOf(queueNs),
    serviceTime: durationOf(serviceNs),
    cacheStatus,
  });
}

/** The handlers of MatrixService. Without a cache every power is computed. */
export function matrixHandlers(pool: PowerPool, cache: PowerCache | undefined): Handlers {
  return handlersOf(MatrixService, {
    async power({ matrix: given, exponent }, context) {
      const arrivedAtNs = hrtime.bigint();
      const matrix = squareOf(given);
      const request = new PowerRequest(matrix.size, matrix.elements, exponent);
      const key = cache && powerKey(request.memory.base, exponent);
      const kept = key === undefined ? undefined : cache?.get(key);
      if (kept !== undefined) return answer(CacheStatus.HIT, matrix, kept, [0n, 0n]);
      const { elements, startedAtNs, endedAtNs } = await pool.raise(request, context.signal);
      if (key !== undefined) cache?.add(key, elements);
      const times = [startedAtNs - arrivedAtNs, endedAtNs - startedAtNs] as const;
      return answer(key === undefined ? CacheStatus.BYPASS : CacheStatus.MISS, matrix, elements, times);
    },
  });
}
