// One session of a fake: a service of its own, with its own resources, turns of stubs, attempts of faults and log.
import type { Service } from "@roundtrip/contract";
import type { CallLog } from "../recording/call-log.ts";

export interface FakeSession {
  readonly name: string;
  readonly service: Service;
  readonly log: CallLog;
  /** Forgets what was called, made and changed: the next call finds the session as its first one did. */
  reset(): void;
}
