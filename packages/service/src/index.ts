// The service package, as its users see it.
import { type Contract, type Service } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { customerHandlers } from "./customer.ts";
import { CustomerStore } from "./customer-store.ts";
import { helloHandlers } from "./hello.ts";
import { payloadHandlers } from "./payload.ts";
import { seedCustomers } from "./seed-customers.ts";

/** The real service of this project's contract, with freshly seeded customers. */
export function realService(contract: Contract): Service {
  const customers = customerHandlers(new CustomerStore(seedCustomers()));
  return serviceOf(contract, new Map([...helloHandlers(), ...customers, ...payloadHandlers()]));
}

export { seedCustomers } from "./seed-customers.ts";
export { bearerAuthentication, staticTokens, type TokenVerdict, type TokenVerifier } from "./bearer-authentication.ts";
export { requestId, requestIdName } from "./request-id.ts";
