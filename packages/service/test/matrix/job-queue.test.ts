// The job queue: the order of jobs, the limit of the queue, and cancelled jobs.
import type { CallError } from "@roundtrip/contract";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { JobQueue } from "../../src/matrix/job-queue.ts";

const never = new AbortController().signal;
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Jobs that record their start, and end on request. */
class Jobs {
  readonly begun: number[] = [];
  readonly #ends = new Map<number, () => void>();

  readonly job = (id: number) => (): Promise<number> => {
    this.begun.push(id);
    return new Promise((resolve) => this.#ends.set(id, () => resolve(id)));
  };

  end(id: number): Promise<unknown> {
    this.#ends.get(id)?.();
    return settled();
  }
}

it("starts jobs in order of arrival, and never more at once than allowed", async () => {
  const orders = fc.record({ servers: fc.integer({ min: 1, max: 4 }), picks: fc.array(fc.nat(), { maxLength: 12 }) });
  await fc.assert(
    fc.asyncProperty(orders, async ({ servers, picks }) => {
      const queue = new JobQueue({ servers, queueLimit: 100 });
      const jobs = new Jobs();
      const served = picks.map((_, id) => queue.serve(jobs.job(id), never));
      const running: number[] = [];
      for (const pick of picks) {
        running.push(...jobs.begun.slice(running.length));
        const atWork = jobs.begun.filter((id) => !ended.has(id));
        expect(atWork.length).toBeLessThanOrEqual(servers);
        const id = atWork[pick % atWork.length] ?? 0;
        ended.add(id);
        // oxlint-disable-next-line no-await-in-loop
        await jobs.end(id);
      }
      expect(await Promise.all(served)).toEqual(picks.map((_, id) => id));
      expect(jobs.begun).toEqual(picks.map((_, id) => id));
      ended.clear();
    }),
    { numRuns: 50 },
  );
});
const ended = new Set<number>();

it("refuses a job at once if the queue is full, and accepts one again when it is not", async () => {
  const queue = new JobQueue({ servers: 1, queueLimit: 2 });
  const jobs = new Jobs();
  const served = [0, 1, 2].map((id) => queue.serve(jobs.job(id), never));
  const refused = (await queue.serve(jobs.job(3), never).catch((thrown: unknown) => thrown)) as CallError;
  expect(refused).toMatchObject({ code: "RESOURCE_EXHAUSTED", details: { metadata: { queueLimit: "2" } } });
  expect(refused.details.reason).toBe("QUEUE_FULL");
  await jobs.end(0);
  served.push(queue.serve(jobs.job(4), never));
  for (const id of [1, 2, 4]) {
    // oxlint-disable-next-line no-await-in-loop
    await jobs.end(id);
  }
  await Promise.all(served);
  expect(jobs.begun).toEqual([0, 1, 2, 4]);
});

it("removes a cancelled job from the queue and does not start it", async () => {
  const queue = new JobQueue({ servers: 1, queueLimit: 2 });
  const jobs = new Jobs();
  const first = queue.serve(jobs.job(0), never);
  const leaving = new AbortController();
  const left = queue.serve(jobs.job(1), leaving.signal);
  const second = queue.serve(jobs.job(2), never);
  leaving.abort(new Error("gone"));
  await expect(left).rejects.toMatchObject({ code: "INTERNAL", cause: { message: "gone" } });
  const third = queue.serve(jobs.job(3), never);
  for (const id of [0, 2, 3]) {
    // oxlint-disable-next-line no-await-in-loop
    await jobs.end(id);
  }
  expect(await Promise.all([first, second, third])).toEqual([0, 2, 3]);
  expect(jobs.begun).toEqual([0, 2, 3]);
});

it("serves the next when a job fails", async () => {
  const queue = new JobQueue({ servers: 1, queueLimit: 1 });
  const failing = queue.serve(() => Promise.reject(new Error("failed")), never);
  const next = queue.serve(() => Promise.resolve("served"), never);
  await expect(failing).rejects.toThrow("failed");
  expect(await next).toBe("served");
});
