// The body of an answer to a request that the HTTP library refuses before a style sees it.
import type { CallError } from "@roundtrip/contract";

export interface FaultBody {
  /** Its media type. */
  readonly type: string;
  readonly text: string;
}

/** Writes such a body in the error format of a style. */
export type WriteFaultBody = (error: CallError, status: number) => FaultBody;
