// Errors of k6 as a load generator.
import { CodedError } from "@roundtrip/contract/coded-error";

/**
 * `no-k6`: it is not installed, or its version is not supported. `nothing-to-do`: k6 supports none of the chosen arms. `unwritable`: files for
 * it cannot be written. `unreadable`: a plan or a file of results cannot be read. `other-plan`: results belong to another plan or contract.
 * `incomplete`: results lack a part of a round, or have it twice. `instance-failed`: a process of k6 ended by itself, or never became ready.
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
