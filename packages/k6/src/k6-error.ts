// What can go wrong where k6 makes the load.
import { CodedError } from "@roundtrip/contract/coded-error";

/**
 * `no-k6`: it is not installed, or of a version that is not supported. `nothing-to-do`: k6 can do none of what was chosen. `unwritable`: files for
 * it cannot be written. `unreadable`: a plan or a file of results cannot be read. `other-plan`: results are of another plan or contract.
 * `incomplete`: results lack a part of what belongs together, or have it twice. `instance-failed`: a process of k6 ended by itself, never became
 * ready, or has no room for what it writes.
 */
export type K6ErrorCode =
  | "no-k6"
  | "nothing-to-do"
  | "unwritable"
  | "unreadable"
  | "other-plan"
  | "incomplete"
  | "instance-failed";

export class K6Error extends CodedError<K6ErrorCode> {
  override readonly name = "K6Error";
}
