// The body of an answer if HTTP itself refuses a request before the style sees it.
import type { CallError } from "@roundtrip/contract";

export interface FaultBody {
  readonly type: string;
  readonly text: string;
}

export type WriteFaultBody = (error: CallError, status: number) => FaultBody;
