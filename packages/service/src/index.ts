// The service package, as its users see it.
import { type Contract, type Service } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { customerHandlers } from "./customer.ts";
import { CustomerStore } from "./customer-store.ts";
import { helloHandlers } from "./hello.ts";
import { matrixHandlers } from "./matrix/matrix.ts";
import { PowerCache } from "./matrix/power-cache.ts";
import { PowerPool } from "./matrix/power-pool.ts";
import { payloadHandlers } from "./payload.ts";
import { seedCustomers } from "./seed-customers.ts";
import { requireKnownServices, settingsOf, type GivenServiceSettings } from "./service-settings.ts";

/** A service that holds something beside memory once it is called. */
export interface RealService extends Service {
  /**
   * Ends its threads, after the servers that it was served by. A process that is done ends without: threads that wait for requests keep
   * none alive.
   */
  close(): Promise<void>;
}

/** The real service of this project's contract, with freshly seeded customers. Throws INVALID_ARGUMENT for settings that do not exist. */
export function realService(contract: Contract, given: GivenServiceSettings = {}): RealService {
  requireKnownServices(given);
  const customers = customerHandlers(new CustomerStore(seedCustomers()));
  const { threads, queueLimit, cache } = settingsOf("matrix", given);
  const pool = new PowerPool({ threads, queueLimit });
  const matrices = matrixHandlers(pool, cache ? new PowerCache() : undefined);
  const service = serviceOf(contract, new Map([...helloHandlers(), ...customers, ...payloadHandlers(), ...matrices]));
  return { ...service, close: () => pool.close() };
}

export { seedCustomers } from "./seed-customers.ts";
export { bearerAuthentication, staticTokens, type TokenVerdict, type TokenVerifier } from "./bearer-authentication.ts";
export { requestId, requestIdName } from "./request-id.ts";
export { serviceSettings, type GivenServiceSettings } from "./service-settings.ts";
