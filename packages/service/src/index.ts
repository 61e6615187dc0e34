// The public API of the service package.
import { CustomerStore, seedCustomers } from "./customer-store.ts";
import { customerHandlers } from "./customer.ts";
import { InvoiceStore } from "./invoice-store.ts";
import { invoiceHandlers } from "./invoice.ts";
import { matrixHandlers } from "./matrix/matrix.ts";
import { PowerCache } from "./matrix/power-cache.ts";
import { PowerPool } from "./matrix/power-pool.ts";
import { payloadHandlers } from "./payload.ts";
import { productHandlers, productStore } from "./product.ts";
import { requireKnownServices, settingsOf, type GivenServiceSettings } from "./service-settings.ts";
import { create } from "@bufbuild/protobuf";
import {
  type Contract,
  type Service,
  handlersOf,
  type Handlers,
  maxStoredBytes,
  StoredMemory,
} from "@roundtrip/contract";
import { HelloService, SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { serviceOf } from "@roundtrip/contract/service";

/** A service that needs closing, because it starts threads on its first call. */
export interface RealService extends Service {
  /** Ends the threads. Close the servers of the service first. A process may also exit without closing it: idle threads do not keep it alive. */
  close(): Promise<void>;
}

/** Customers that clients may add, and the memory of each that the service starts with, which is not theirs. */
const mostAdded = 99_000;
const mostSeedBytes = 512;

/** The real service of the built-in contract, with newly seeded customers. Throws INVALID_ARGUMENT for unknown settings. */
export function realService(contract: Contract, given: GivenServiceSettings = {}): RealService {
  requireKnownServices(given);
  const { count } = settingsOf("customers", given);
  const memory = new StoredMemory("the stored customers and invoices", maxStoredBytes + count * mostSeedBytes);
  const customers = new CustomerStore(seedCustomers(count), count + mostAdded, memory);
  const products = productStore();
  const { threads, queueLimit, cache } = settingsOf("matrix", given);
  const pool = new PowerPool({ threads, queueLimit });
  const handlers: readonly Handlers[] = [
    helloHandlers(),
    customerHandlers(customers),
    invoiceHandlers({ customers, invoices: new InvoiceStore(undefined, memory), products }),
    productHandlers(products),
    payloadHandlers(),
    matrixHandlers(pool, cache === 0 ? undefined : new PowerCache(cache)),
  ];
  const service = serviceOf(contract, new Map(handlers.flatMap((methods) => [...methods])));
  return { ...service, close: () => pool.close() };
}

export { seedCustomers } from "./customer-store.ts";
export { InvoiceStore } from "./invoice-store.ts";
export { productStore } from "./product.ts";
export { bearerAuthentication, staticTokens, type TokenVerdict, type TokenVerifier } from "./bearer-authentication.ts";
export { requestId, requestIdName } from "./request-id.ts";
export { serviceSettings, type GivenServiceSettings } from "./service-settings.ts";

function helloHandlers(): Handlers {
  return handlersOf(HelloService, {
    sayHello: (request) => create(SayHelloResponseSchema, { message: `Hello, ${request.name}!` }),
  });
}
