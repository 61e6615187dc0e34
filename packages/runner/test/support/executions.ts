// Executions of plans on clients that a test makes up.
import { builtInContract, type Client } from "@roundtrip/contract";
import type { CallLog } from "../../src/measure/call-timer.ts";
import { WireMeter } from "../../src/measure/client-connections.ts";
import { type Execution, prepareExecution } from "../../src/measure/execute-plan.ts";
import { Recorder } from "../../src/measure/recorder.ts";
import type { Plan } from "../../src/study/study.ts";

const contract = builtInContract();

// It listens to its process for good: one is enough.
const meter = new WireMeter();

export function callLog(): CallLog {
  const recorder = new Recorder(64);
  recorder.begin(meter.bytesWritten, meter.bytesRead);
  return { recorder, meter, outcomes: ["OK"] };
}

export function none(): never {
  throw new Error("not asked for");
}

export function clientWith(methods: Partial<Client>): Client {
  return {
    contract,
    prepare: none,
    prepareStream: none,
    prepareTogether: none,
    close: () => Promise.resolve(),
    ...methods,
  };
}

export function prepared(client: Client, plan: Plan): CallLog & { readonly execution: Execution } {
  const log = callLog();
  return { ...log, execution: prepareExecution({ contract, client, plan, callers: 1, callLog: log }) };
}
