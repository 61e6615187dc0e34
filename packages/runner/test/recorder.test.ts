import { describe, expect, it } from "vitest";
import { Recorder } from "../src/measure/recorder.ts";

describe("the recorder", () => {
  it("gives back every call in the order in which it was noted", () => {
    const recorder = new Recorder(3);
    recorder.begin(100, 200);
    recorder.recordEnd(recorder.record(0, 0, 1, 2), 0, 110, 220);
    recorder.recordEnd(recorder.record(0, 1, 2, 4), 1, 130, 230);
    const rows = recorder.rows();
    expect([...rows.task]).toEqual([0, 0]);
    expect([...rows.step]).toEqual([0, 1]);
    expect([...rows.startedAtMs]).toEqual([1, 2]);
    expect([...rows.endedAtMs]).toEqual([2, 4]);
    expect([...rows.outcome]).toEqual([0, 1]);
  });

  it("counts the bytes between one call and the next, so that their sum is what crossed in the block", () => {
    const recorder = new Recorder(2);
    recorder.begin(100, 200);
    recorder.recordEnd(recorder.record(0, 0, 1, 2), 0, 110, 220);
    recorder.recordEnd(recorder.record(1, 0, 2, 3), 0, 160, 290);
    expect([...recorder.rows().requestBytes]).toEqual([10, 50]);
    expect([...recorder.rows().responseBytes]).toEqual([20, 70]);
  });

  it("counts from zero without an initial number of bytes", () => {
    const recorder = new Recorder(1);
    const fresh = new Recorder(1);
    fresh.recordEnd(fresh.record(0, 0, 1, 2), 0, 110, 220);
    expect(fresh.rows()).toMatchObject({ requestBytes: Float64Array.of(110), responseBytes: Float64Array.of(220) });
    recorder.begin();
    recorder.recordEnd(recorder.record(0, 0, 1, 2), 0, 110, 220);
    expect([recorder.rows().requestBytes[0], recorder.rows().responseBytes[0]]).toEqual([110, 220]);
  });

  it("clears a block when the next begins, and keeps rows that were returned", () => {
    const recorder = new Recorder(1);
    recorder.begin(0, 0);
    recorder.recordEnd(recorder.record(0, 0, 1, 2), 0, 1, 1);
    const before = recorder.rows();
    recorder.begin(0, 0);
    expect(recorder.rows().task).toHaveLength(0);
    recorder.recordEnd(recorder.record(9, 0, 5, 6), 0, 1, 1);
    expect([...before.startedAtMs]).toEqual([1]);
  });

  it("keeps what is known of a stream with its call alone, and no block longer than its own", () => {
    const recorder = new Recorder(2);
    recorder.begin(0, 0);
    recorder.record(0, 0, 1, 9);
    recorder.recordStream(0, 3, 2);
    recorder.record(1, 0, 9, 10);
    expect([...recorder.rows().firstByteAtMs]).toEqual([3, Number.NaN]);
    expect([...recorder.rows().pauses]).toEqual([2, Number.NaN]);
    recorder.begin(0, 0);
    recorder.record(0, 0, 11, 12);
    expect([...recorder.rows().firstByteAtMs]).toEqual([Number.NaN]);
    expect([...recorder.rows().pauses]).toEqual([Number.NaN]);
  });

  it("keeps the due time and the times in the answer with that call alone", () => {
    const recorder = new Recorder(2);
    recorder.begin();
    for (const call of [0, 1]) {
      const row = recorder.record(call, 0, 1, 9);
      recorder.recordIntended(row, 10 + call);
      recorder.recordReported(row, 20 + call, 30 + call);
    }
    const { intendedAtMs, queueMs, serviceMs } = recorder.rows();
    expect([intendedAtMs, queueMs, serviceMs].map((column) => [...column])).toEqual([
      [10, 11],
      [20, 21],
      [30, 31],
    ]);
    recorder.begin();
    for (const call of [0, 1]) recorder.record(call, 0, 1, 9);
    const next = recorder.rows();
    for (const column of [next.intendedAtMs, next.queueMs, next.serviceMs]) {
      expect([...column]).toEqual([Number.NaN, Number.NaN]);
    }
  });

  it("takes calls and messages of streams for progress, from block to block", () => {
    const recorder = new Recorder(1);
    recorder.begin(0, 0);
    recorder.countMessage();
    recorder.record(0, 0, 1, 2);
    recorder.begin(0, 0);
    recorder.countMessage();
    expect(recorder.progress).toBe(3);
    recorder.record(1, 0, 2, 3);
    expect(recorder.progress).toBe(4);
  });

  it("lays out its buffers once: noting calls allocates none", () => {
    const recorder = new Recorder(10_000);
    const before = process.memoryUsage().arrayBuffers;
    for (let block = 0; block < 20; block += 1) {
      recorder.begin(0, 0);
      for (let call = 0; call < 10_000; call += 1)
        recorder.recordEnd(recorder.record(call, 0, call, call), 0, call, call);
    }
    expect(process.memoryUsage().arrayBuffers).toBe(before);
  });
});
