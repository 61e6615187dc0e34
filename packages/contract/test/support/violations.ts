// What is wrong with a request by the rules of its contract, in a form that a test can write down.
import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { CallError, type Contract, type FieldViolation } from "../../src/index.ts";
import { requestRules } from "../../src/calls/service-of.ts";

/** The violations of a request to the method of this name, each as `field: reason`; empty for a request that is accepted. */
export function violations(
  contract: Contract,
  name: string,
  request: JsonObject,
  shown: (violation: FieldViolation) => string = ({ field, reason }) => `${field}: ${reason}`,
): readonly string[] {
  const operation = contract.operations.find(({ method }) => method.name === name);
  if (operation === undefined) throw new Error(`no method ${name}`);
  try {
    requestRules(contract)(operation.input, fromJson(operation.input, request));
    return [];
  } catch (thrown) {
    if (!(thrown instanceof CallError) || thrown.code !== "INVALID_ARGUMENT") throw thrown;
    return thrown.details.violations.map(shown);
  }
}
