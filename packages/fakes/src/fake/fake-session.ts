// One session of a fake: a service with its own resources, stub sequences, fault attempts and log.
import type { Service } from "@roundtrip/contract";
import type { CallLog } from "../recording/call-log.ts";

export interface FakeSession {
  readonly name: string;
  readonly service: Service;
  readonly log: CallLog;
  /** Clears calls, resources and counters: the next call finds the session as the first one did. */
  reset(): void;
}
