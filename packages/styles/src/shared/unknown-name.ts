// Errors about names that a service does not have, with the nearest that it has.
import { CallError, type Service } from "@roundtrip/contract";

/** Whether everybody may see the names of a service: no interceptor protects it. */
export function hasOpenNames(service: Service): boolean {
  return service.guard(service) === service;
}

/** UNIMPLEMENTED. What finds the nearest name is loaded with the first error: measured calls need none. */
export async function unknownName(
  service: Service,
  message: string,
  typed: string,
  names: readonly string[],
): Promise<CallError> {
  if (!hasOpenNames(service)) return new CallError("UNIMPLEMENTED", message);
  const { suggestion } = await import("@roundtrip/contract/text");
  return new CallError("UNIMPLEMENTED", `${message}${suggestion(typed, names)}`);
}
