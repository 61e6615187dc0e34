// Whether a server that follows the contract's rules accepts a request.
import type { Message } from "@bufbuild/protobuf";
import { CallError, type Contract, type Operation } from "@roundtrip/contract";
import { requestRules } from "@roundtrip/contract/service";

/** False where a rule or a required field refuses the request. Throws what else comes of the rules. */
export function keepsRules(contract: Contract, { input }: Operation, request: Message): boolean {
  try {
    requestRules(contract)(input, request);
    return true;
  } catch (thrown) {
    if (thrown instanceof CallError && thrown.code === "INVALID_ARGUMENT") return false;
    throw thrown;
  }
}
