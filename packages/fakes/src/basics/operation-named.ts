// Finds an operation by its whole id, or by any unambiguous end of it.
import type { Contract, Operation } from "@roundtrip/contract";
import { suggestion } from "@roundtrip/contract/text";
import { FakeError, type ValuePath } from "./fake-error.ts";

/**
 * The operation with this id, or whose id ends with this name: `GetCustomer`, `CustomerService.GetCustomer`. Throws a FakeError if no operation has
 * the name, or several do.
 */
export function operationNamed(contract: Contract, name: string, path: ValuePath = []): Operation {
  const found = contract.operations.filter(({ id }) => id === name || id.endsWith(`.${name}`));
  const exact = found.find(({ id }) => id === name) ?? (found.length === 1 ? found[0] : undefined);
  if (exact !== undefined) return exact;
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(", ");
    throw new FakeError("unknown-operation", `"${name}" may be any of ${ids}; give the whole name`, { path });
  }
  // Suggestions compare as many parts as were given: a package name would hide a typing mistake.
  const parts = name.split(".").length;
  const known = contract.operations.map(({ id }) => id.split(".").slice(-parts).join("."));
  throw new FakeError("unknown-operation", `the contract has no operation "${name}"${suggestion(name, known)}`, {
    path,
  });
}
