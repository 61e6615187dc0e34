// Errors about names that a service does not have, with the nearest that it has.
import { CallError, type Service } from "@roundtrip/contract";
import { JsonError } from "./proto-json/json-errors.ts";

/** Whether everybody may see the names of a service: no interceptor protects it. */
export function hasOpenNames(service: Service): boolean {
  return service.guard(service) === service;
}

/** The method of `shop.v1.Shops.GetItem` or `/shop.v1.Shops/GetItem`. */
function methodOf(name: string): string {
  return name.slice(Math.max(name.lastIndexOf("."), name.lastIndexOf("/")) + 1);
}

/** UNIMPLEMENTED, with the nearest of the names, or of those whose method is nearest. What finds the nearest name is loaded with the first error: measured calls need none. */
export async function unknownName(
  service: Service,
  message: string,
  typed: string,
  names: readonly string[],
): Promise<CallError> {
  if (!hasOpenNames(service)) return new CallError("UNIMPLEMENTED", message);
  const { nearestName, suggestion } = await import("@roundtrip/contract/text");
  const method = nearestName(methodOf(typed), names.map(methodOf));
  const nearest = nearestName(typed, names) ?? names.find((name) => methodOf(name) === method);
  return new CallError("UNIMPLEMENTED", `${message}${nearest === undefined ? "" : suggestion(nearest, [nearest])}`);
}

/** Whether an error of a request is one about a name that everybody may see. */
export function hasUnknownName(service: Service, thrown: unknown): thrown is CallError & { readonly cause: JsonError } {
  if (!(thrown instanceof CallError) || !(thrown.cause instanceof JsonError)) return false;
  return thrown.cause.unknown !== undefined && hasOpenNames(service);
}

/** The same error, with the nearest name. */
export async function withNearestName(error: CallError & { readonly cause: JsonError }): Promise<CallError> {
  const { code, message, details, cause } = error;
  const { typed, known } = cause.unknown ?? { typed: "", known: () => [] };
  const { suggestion } = await import("@roundtrip/contract/text");
  const more = suggestion(typed, known());
  const violations = details.violations.map((each) => ({ ...each, description: `${each.description}${more}` }));
  return new CallError(code, `${message}${more}`, { ...details, violations }, { cause });
}
