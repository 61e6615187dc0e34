// Matrix powers of the real service: exact on every style, and cancelled when nobody waits for them.
import type { Duration } from "@bufbuild/protobuf/wkt";
import { CacheStatus, MatrixService, type PowerResponse } from "@roundtrip/contract/gen/roundtrip/v1/matrix_pb";
import type { CaseRun } from "../../case/case-run.ts";
import { casesIn } from "../../case/case.ts";
import { expect, expectEqual, expectError, expectViolations, inTurn } from "../../case/expectations.ts";

const { power } = MatrixService.method;

const largest = 100;

/** A matrix whose rows sum to one, so that its powers stay finite. */
function stochastic(size: number): { readonly size: number; readonly elements: number[] } {
  const weights = Array.from({ length: size * size }, (_, at) => 1 + ((at * 7919) % 97));
  const rowSum = (row: number): number =>
    weights.slice(row * size, (row + 1) * size).reduce((sum, weight) => sum + weight, 0);
  const sums = Array.from({ length: size }, (_, row) => rowSum(row));
  return { size, elements: weights.map((weight, at) => weight / (sums[Math.floor(at / size)] ?? 1)) };
}

/** [[1, 1], [0, 1]]: its powers contain their exponent. */
const counting = { size: 2, elements: [1, 1, 0, 1] };

async function raised(run: CaseRun, size: number, elements: number[], exponent: number): Promise<readonly number[]> {
  const answer = await run.call(power, { matrix: { size, elements }, exponent });
  expectEqual(answer.power?.size, size, "size");
  return answer.power?.elements ?? [];
}

function requireTime(time: Duration | undefined, name: string): void {
  const isTime = time !== undefined && time.seconds >= 0n && time.nanos >= 0;
  expect(isTime, `${name} is ${time === undefined ? "missing" : "negative"}`);
}

function requireAccount({ queueTime, serviceTime, cacheStatus }: PowerResponse): void {
  requireTime(queueTime, "the queue time");
  requireTime(serviceTime, "the service time");
  expect(cacheStatus !== CacheStatus.UNSPECIFIED, "the cache status is missing");
}

/** The cases RT-17xx. */
export const matrixCases = casesIn("matrix", ["matrix"], {
  async "RT-1701 a matrix to the power 0 is the identity, to the power 1 itself, and beyond that multiplied by itself"(
    run,
  ) {
    expectEqual(await raised(run, 2, [5, 6, 7, 8], 0), [1, 0, 0, 1], "M^0");
    expectEqual(await raised(run, 2, [5, 6, 7, 8], 1), [5, 6, 7, 8], "M^1");
    expectEqual(await raised(run, 2, [5, 6, 7, 8], 3), [881, 1026, 1197, 1394], "M^3");
    expectEqual(await raised(run, 2, counting.elements, 10_000), [1, 10_000, 0, 1], "M^10000");
    expectEqual(await raised(run, 1, [-2], 9), [-512], "M^9");
  },
  async "RT-1702 elements arrive bit for bit in both directions"(run) {
    const elements = [0.1, -0, 5e-324, Number.MAX_VALUE, -1 / 3, 1e21, Math.PI, 2 ** 53, 0];
    expectEqual(await raised(run, 3, elements, 1), elements, "elements");
  },
  async "RT-1703 the largest matrix arrives complete, and its rows still sum to one after many multiplications"(run) {
    const elements = await raised(run, largest, stochastic(largest).elements, 50);
    expectEqual(elements.length, largest * largest, "elements");
    for (let row = 0; row < largest; row++) {
      const sum = elements.slice(row * largest, (row + 1) * largest).reduce((total, one) => total + one, 0);
      expect(Math.abs(sum - 1) < 1e-9, `row ${row} sums to ${sum}`);
    }
  },
  async "RT-1704 an element too large for a double becomes infinite, then not a number"(run) {
    expectEqual(await raised(run, 1, [-1e200], 3), [Number.NEGATIVE_INFINITY], "M^3");
    const [large, zero] = await raised(run, 2, [1e200, 0, 0, 1], 3);
    expectEqual([large, zero], [Number.POSITIVE_INFINITY, Number.NaN], "elements");
  },
  async "RT-1705 a matrix that is not square is INVALID_ARGUMENT, and the error names its elements"(run) {
    await inTurn([[1, 2, 3], [1, 2, 3, 4, 5], [1]], async (elements) => {
      const call = run.call(power, { matrix: { size: 2, elements }, exponent: 2 });
      await expectViolations(call, [{ field: "matrix.elements", reason: "matrix.square" }]);
    });
  },
  async "RT-1706 invalid sizes, elements and exponents are INVALID_ARGUMENT, and the error names them"(run) {
    const size = { field: "matrix.size", reason: "int32.gte_lte" };
    const exponent = { field: "exponent", reason: "int32.gte_lte" };
    const none = { matrix: { size: 0, elements: [] }, exponent: -1 };
    await expectViolations(run.call(power, none), [
      size,
      { field: "matrix.elements", reason: "repeated.min_items" },
      exponent,
    ]);
    const tooMany = Array.from({ length: (largest + 1) ** 2 }, () => 0);
    const large = { matrix: { size: largest + 1, elements: tooMany }, exponent: 10_001 };
    await expectViolations(run.call(power, large), [
      size,
      { field: "matrix.elements", reason: "repeated.max_items" },
      exponent,
    ]);
    await expectViolations(run.call(power, { exponent: 2 }), [{ field: "matrix", reason: "required" }]);
  },
  async "RT-1707 elements that are not finite are INVALID_ARGUMENT, and the error names each"(run) {
    const elements = [1, Number.NaN, Number.NEGATIVE_INFINITY, 4];
    await expectViolations(run.call(power, { matrix: { size: 2, elements }, exponent: 2 }), [
      { field: "matrix.elements[1]", reason: "double.finite" },
      { field: "matrix.elements[2]", reason: "double.finite" },
    ]);
  },
  async "RT-1708 an answer reports its queue time, compute time and cache status, and is the same the second time"(
    run,
  ) {
    const request = { matrix: stochastic(10), exponent: 7 };
    const first = await run.call(power, request);
    const second = await run.call(power, request);
    for (const answer of [first, second]) requireAccount(answer);
    expectEqual(second.power, first.power, "power");
  },
  async "RT-1709 concurrent calls each get their own power"(run) {
    const exponents = Array.from({ length: 50 }, (_, index) => index * 11);
    const calls = exponents.map((exponent) => raised(run, 2, counting.elements, exponent));
    const corners = (await Promise.all(calls)).map((elements) => elements[1]);
    expectEqual(corners, exponents, "corners");
  },
  async "RT-1710 a long computation ends with its deadline or its caller, and does not delay the next"(run) {
    const long = { matrix: stochastic(largest), exponent: 10_000 };
    const leaving = new AbortController();
    const left = expectError(run.call(power, long, { signal: leaving.signal }), "CANCELLED");
    await expectError(run.call(power, long, { timeoutMs: 100 }), "DEADLINE_EXCEEDED");
    leaving.abort();
    await left;
    const answer = await run.call(power, { matrix: counting, exponent: 3 }, { timeoutMs: 30_000 });
    expectEqual(answer.power?.elements, [1, 3, 0, 1], "power");
  },
});
