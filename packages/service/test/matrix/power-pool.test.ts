// The pool of threads: in which order they work, and what happens when one of them, or somebody who waits for it, is lost.
import { afterEach, expect, it } from "vitest";
import { PowerPool, PowerRequest } from "../../src/matrix/power-pool.ts";
import { deadlyExponent, endlessExponent } from "./support/odd-thread.ts";

const never = new AbortController().signal;
const threadFile = new URL("support/odd-thread.ts", import.meta.url).href;

let pool: PowerPool | undefined;
afterEach(() => pool?.close());

function poolOf(threads: number, queueLimit = 1000): PowerPool {
  pool = new PowerPool({ threads, queueLimit, threadFile });
  return pool;
}

/** Of [[1, 1], [0, 1]], whose powers hold their exponent. */
const request = (exponent: number) => new PowerRequest(2, [1, 1, 0, 1], exponent);
const raisedTo = (exponent: number) => [1, exponent, 0, 1];

/** Takes a thread until it is let go. */
function occupy(busy: PowerPool): () => Promise<void> {
  const leaving = new AbortController();
  const gone = new Error("gone");
  const held = busy.raise(request(endlessExponent), leaving.signal).catch((thrown: unknown) => thrown);
  return async () => {
    leaving.abort(gone);
    expect(await held).toMatchObject({ code: "INTERNAL", cause: gone });
  };
}

it("computes in the order of arrival on one thread", async () => {
  const one = poolOf(1);
  const letGo = occupy(one);
  const exponents = [5, 3, 900, 1, 0, 7];
  const computed = exponents.map((exponent) => one.raise(request(exponent), never));
  await letGo();
  const powers = await Promise.all(computed);
  expect(powers.map(({ elements }) => elements)).toEqual(
    exponents.map((exponent) => (exponent === 0 ? [1, 0, 0, 1] : raisedTo(exponent))),
  );
  for (const [index, { startedAtNs, endedAtNs }] of powers.entries()) {
    expect(endedAtNs).toBeGreaterThanOrEqual(startedAtNs);
    expect(startedAtNs).toBeGreaterThanOrEqual(powers[index - 1]?.endedAtNs ?? 0n);
  }
});

it("stops cancelled computations, so that the thread is free for the next", async () => {
  const one = poolOf(1);
  const leaving = new AbortController();
  const size = 100;
  const elements = Array.from({ length: size * size }, () => 1 / size);
  const long = new PowerRequest(size, elements, 1_000_000);
  const left = one.raise(long, leaving.signal);
  const next = one.raise(request(3), never);
  setTimeout(() => leaving.abort(new Error("gone")), 10);
  await expect(left).rejects.toMatchObject({ cause: { message: "gone" } });
  // Ten seconds or more otherwise.
  expect((await next).elements).toEqual(raisedTo(3));
});

it("fails the request whose thread is lost as UNAVAILABLE, and no other; the thread is replaced and counted", async () => {
  const two = poolOf(2);
  const letGo = occupy(two);
  expect(two.lostThreads).toBe(0);
  const deadly = two.raise(request(deadlyExponent), never);
  const waiting = two.raise(request(6), never);
  await expect(deadly).rejects.toMatchObject({
    code: "UNAVAILABLE",
    details: { reason: "THREAD_LOST", domain: "matrix.roundtrip.dev", metadata: { lostThreads: "1" } },
  });
  expect((await waiting).elements).toEqual(raisedTo(6));
  await letGo();
  expect(two.lostThreads).toBe(1);
});

it("ends with all its threads when it is closed: what computes, what waits and what comes later is UNAVAILABLE", async () => {
  const one = poolOf(1);
  const closed = { code: "UNAVAILABLE", message: "the service is closed" };
  const computing = one.raise(request(endlessExponent), never);
  const waiting = one.raise(request(2), never);
  const outcomes = Promise.allSettled([computing, waiting]);
  await one.close();
  expect(await outcomes).toMatchObject([{ reason: closed }, { reason: closed }]);
  await expect(one.raise(request(2), never)).rejects.toMatchObject(closed);
  expect(one.lostThreads).toBe(0);
  await one.close();
});
