import { describe, expect, it } from "vitest";
import { Recorder } from "../src/measure/recorder.ts";

describe("the recorder", () => {
  it("counts the bytes between one call and the next, so that their sum is what crossed in the block", () => {
    const recorder = new Recorder(2);
    recorder.begin(100, 200);
    recorder.recordEnd(recorder.record(0, 0, 1, 2), 0, 110, 220);
    recorder.recordEnd(recorder.record(1, 0, 2, 3), 0, 160, 290);
    expect([...recorder.rows().requestBytes]).toEqual([10, 50]);
    expect([...recorder.rows().responseBytes]).toEqual([20, 70]);
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
    // A collection may free buffers of what ran before.
    expect(process.memoryUsage().arrayBuffers).toBeLessThanOrEqual(before);
  });
});
