// A client that repeats calls until one fails; attacks on the server must not make one fail.
import { Piscina } from "piscina";

export interface WellBehavedCaller {
  /** Makes one call. Rejects if it gets no answer, or a wrong one. */
  call(): Promise<void>;
  /** Repeats calls until the returned function stops it. That function resolves to the number of answered calls, or rejects with the first error. */
  keepCalling(): () => Promise<number>;
  close(): Promise<void>;
}

let thread: Piscina | undefined;
let opened = 0;

/** Makes a first call at once, so that it has its connection before attacks use up all others. */
export async function wellBehavedCaller(stackName: string, url: string): Promise<WellBehavedCaller> {
  // One thread for all callers. It must not block while it has nothing to do: connections of its clients may close then.
  thread ??= new Piscina({
    filename: new URL("processes/calling-thread.ts", import.meta.url).href,
    minThreads: 1,
    maxThreads: 1,
    concurrentTasksPerWorker: Number.MAX_SAFE_INTEGER,
    atomics: "disabled",
    recordTiming: false,
  });
  const inThread = thread;
  const id = (opened += 1);
  await inThread.run({ id, stackName, url }, { name: "open" });
  return {
    call: () => inThread.run(id, { name: "call" }),
    keepCalling() {
      const calling: Promise<number> = inThread.run(id, { name: "keepCalling" });
      // The error is reported when the caller stops the calls.
      calling.catch(() => {});
      return async () => {
        await inThread.run(id, { name: "stop" });
        return calling;
      };
    },
    close: () => inThread.run(id, { name: "close" }),
  };
}
