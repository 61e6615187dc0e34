// The client of the package soap for Node.js: every operation of the WSDL, over SOAP 1.1 and 1.2, with answers as over REST.
import { createRequire } from "node:module";
import { isDeepStrictEqual, promisify } from "node:util";
import { createClientAsync } from "soap";
import { type Checks, demand, findingsOf, type Suite } from "../suite.ts";

const soapVersions = ["soap11", "soap12"] as const;

type SoapVersion = (typeof soapVersions)[number];

type Values = Readonly<Record<string, unknown>>;

/** The typed detail of a fault. */
interface FaultDetail {
  readonly code: string;
  readonly reason?: string;
  /** A list, or its only member. */
  readonly violations?: { readonly field: string } | readonly { readonly field: string }[];
}

/** A SOAP client that calls one version, and a plain client of the same service over REST. */
interface SoapCaller {
  /** Calls an operation, such as "HelloService.SayHello". Resolves to its answer with the names of JSON. */
  readonly soap: (operation: string, request: Values) => Promise<unknown>;
  /** The detail of the fault that a call ends with. Rejects if the call succeeds. */
  readonly fault: (operation: string, request: Values) => Promise<FaultDetail>;
  readonly rest: (verb: string, path: string, body?: Values) => Promise<unknown>;
  /** The operations in the WSDL that were not called yet. */
  readonly uncalled: () => readonly string[];
}

/** A value with the names of ProtoJSON. */
function camel(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camel);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      camel(inner),
    ]),
  );
}

function restCaller(url: string): SoapCaller["rest"] {
  return async (method, path, body) => {
    const init =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
    const response = await fetch(`${url}${path}`, { method, ...init });
    const answer = await response.text();
    demand(response.ok, answer);
    return answer === "" ? {} : JSON.parse(answer);
  };
}

const text = "<a b='c'>&amp;]]>\t\n é 𝔘";
const matrix = { matrix: { size: 2, elements: [0.1, 1e-300, -2.5, 1] }, exponent: 3 };

const attributes = [
  ["Name", "name", text],
  ["Address", "address", `1 Road\n${text}`],
  ["VatIdentificationNumber", "vat_identification_number", "DE1"],
  ["Mail", "mail", "ada@example.org"],
  ["PhoneNumber", "phone_number", "+49 30 1"],
] as const;

/** Calls that can be repeated, and what they are over REST. */
const repeatable: readonly (readonly [
  operation: string,
  request: Values,
  verb: string,
  path: string,
  body?: Values,
])[] = [
  ["HelloService.SayHello", { name: text }, "GET", `/v1/hello?name=${encodeURIComponent(text)}`],
  ["CustomerService.GetCustomer", { id: 1 }, "GET", "/v1/customers/1"],
  [
    "CustomerService.GetCustomer",
    { id: 1, read_mask: { paths: ["mail", "name"] } },
    "GET",
    "/v1/customers/1?readMask=name,mail",
  ],
  ["CustomerService.GetCustomerId", { id: 1 }, "GET", "/v1/customers/1/id"],
  ["CustomerService.ListCustomers", { page_size: 3 }, "GET", "/v1/customers?pageSize=3"],
  [
    "CustomerService.UpdateCustomer",
    { customer: { id: 2, name: text }, update_mask: { paths: ["name"] } },
    "PATCH",
    "/v1/customers/2?updateMask=name",
    { name: text },
  ],
  ...attributes.flatMap(([operation, name, value]) => {
    const path = `/v1/customers/2/${name.replaceAll("_", "-")}`;
    return [
      [
        `CustomerService.SetCustomer${operation}`,
        { id: 2, [name]: value },
        "PUT",
        path,
        camel({ [name]: value }) as Values,
      ],
      [`CustomerService.GetCustomer${operation}`, { id: 2 }, "GET", path],
    ] as const;
  }),
  ["ProductService.GetProduct", { id: 7 }, "GET", "/v1/products/7"],
  ["ProductService.ListProducts", { page_size: 3 }, "GET", "/v1/products?pageSize=3"],
  ["ProductService.BatchGetProducts", { ids: [9, 7] }, "GET", "/v1/products:batchGet?ids=9&ids=7"],
  ["InvoiceService.GetInvoice", { id: 21 }, "GET", "/v1/invoices/21"],
  [
    "InvoiceService.ListInvoices",
    { customer_id: 3, page_size: 2, status: "INVOICE_STATUS_PAID" },
    "GET",
    "/v1/customers/3/invoices?pageSize=2&status=INVOICE_STATUS_PAID",
  ],
  ["InvoiceService.BatchGetInvoices", { ids: [22, 21] }, "GET", "/v1/invoices:batchGet?ids=22&ids=21"],
  [
    "InvoiceService.GetStatement",
    { customer_id: 3, invoice_count: 2 },
    "GET",
    "/v1/customers/3/statement?invoiceCount=2",
  ],
  ["PayloadService.Echo", { text, data: "AAH/" }, "POST", "/v1/payload:echo", { text, data: "AAH/" }],
];

const soapChecks: Checks<SoapCaller> = {
  async "each operation answers as over REST"({ soap, rest }) {
    for (const [operation, request, verb, path, body] of repeatable) {
      // oxlint-disable-next-line no-await-in-loop -- later calls see what earlier ones changed
      const answers = [await soap(operation, request), await rest(verb, path, body)] as const;
      demand(isDeepStrictEqual(...answers), { operation, answers });
    }
  },
  async "a power of a matrix has the elements that it has over REST"({ soap, rest }) {
    const answers = [await soap("MatrixService.Power", matrix), await rest("POST", "/v1/matrices:power", matrix)];
    const [one, other] = answers.map((answer) => (answer as { readonly power?: unknown }).power);
    demand(one !== undefined && isDeepStrictEqual(one, other), answers);
  },
  async "a customer is created, gets another id and is deleted"({ soap, rest }) {
    const customer = { id: 700_001, name: text, vatIdentificationNumber: "DE1" };
    const { vatIdentificationNumber: vat_identification_number, ...others } = customer;
    const created = await soap("CustomerService.CreateCustomer", {
      customer: { ...others, vat_identification_number },
    });
    demand(isDeepStrictEqual(created, customer), created);
    const stored = await rest("GET", `/v1/customers/${customer.id}`);
    demand(isDeepStrictEqual(stored, customer), stored);
    const renamed = await soap("CustomerService.SetCustomerId", { id: customer.id, new_id: 700_002 });
    demand(isDeepStrictEqual(renamed, { id: 700_002 }), renamed);
    const deleted = await soap("CustomerService.DeleteCustomer", { id: 700_002 });
    demand(isDeepStrictEqual(deleted, {}), deleted);
  },
  async "an invoice is created and paid"({ soap, rest }) {
    const lines = [{ product_id: 7, quantity: 2, unit_price: 150 }];
    const created = await soap("InvoiceService.CreateInvoice", {
      invoice: { customer_id: 4, issue_time: "2026-01-02T03:04:05Z", currency: "EUR", lines },
    });
    const { id } = created as { readonly id: number };
    const stored = await rest("GET", `/v1/invoices/${id}`);
    demand(isDeepStrictEqual(stored, created), [created, stored]);
    const paid = await soap("InvoiceService.PayInvoice", { id });
    demand(isDeepStrictEqual(paid, { ...(created as Values), status: "INVOICE_STATUS_PAID" }), paid);
  },
  async "a missing customer is a fault with code and reason"({ fault }) {
    const detail = await fault("CustomerService.GetCustomer", { id: 123_456 });
    demand(detail.code === "NOT_FOUND" && detail.reason === "CUSTOMER_NOT_FOUND", detail);
  },
  async "an invalid request is a fault that names the field"({ fault }) {
    const detail = await fault("CustomerService.SetCustomerName", { id: -1, name: "x" });
    const [violation] = [detail.violations ?? []].flat();
    demand(detail.code === "INVALID_ARGUMENT" && violation?.field === "id", detail);
  },
  async "every operation of the WSDL has been called"({ uncalled }) {
    demand(uncalled().length === 0, uncalled());
  },
};

type Method = (request: Values, done: (fault: Error | null, answer?: unknown) => void) => void;

/** What node-soap rejects with: the whole answer, whose members have other names in SOAP 1.2. */
interface Fault {
  readonly root?: {
    readonly Envelope: {
      readonly Body: { readonly Fault: Readonly<Record<string, { readonly Error?: FaultDetail }>> };
    };
  };
}

const settings = { soap11: {}, soap12: { forceSoap12Headers: true } } as const;

async function callerOf(version: SoapVersion, soapUrl: string, restUrl: string): Promise<SoapCaller> {
  const client = await createClientAsync(`${soapUrl}?wsdl`, settings[version]);
  const described = client.describe() as Readonly<Record<string, Readonly<Record<string, Values>>>>;
  const called = new Set<string>();
  const soap: SoapCaller["soap"] = async (operation, request) => {
    const [service = "", name = ""] = `roundtrip.v1.${operation}`.split(/\.(?=\w+$)/);
    called.add(`${service}.${name}`);
    const method = client[service][`${service}.${version}`][name] as Method;
    // An answer without elements is null.
    const answer = await promisify(method)(request);
    return camel(answer ?? {});
  };
  return {
    soap,
    fault: (operation, request) => detailOf(soap(operation, request)),
    rest: restCaller(restUrl),
    uncalled: () =>
      Object.entries(described).flatMap(([service, ports]) =>
        Object.keys(ports[`${service}.${version}`] ?? {})
          .map((name) => `${service}.${name}`)
          .filter((name) => !called.has(name)),
      ),
  };
}

async function detailOf(ended: Promise<unknown>): Promise<FaultDetail> {
  try {
    await ended;
  } catch (thrown) {
    const fault = (thrown as Fault).root?.Envelope.Body.Fault;
    const detail = fault?.["detail"]?.Error ?? fault?.["Detail"]?.Error;
    demand(detail !== undefined, fault ?? String(thrown));
    return detail as FaultDetail;
  }
  throw new Error("the call succeeds");
}

const style = "soap";
const { version: released } = createRequire(import.meta.url)("soap/package.json") as { readonly version: string };
const size = Object.keys(soapChecks).length * soapVersions.length;

export const suite: Suite = {
  about: "SOAP by a client for Node.js, which reads the WSDL: every operation over both versions, compared with REST",
  styles: [style, "rest"],
  tools: [],
  allowed: [],
  size,
  async run({ url }) {
    const findings = [];
    for (const version of soapVersions) {
      const caller = await callerOf(version, url(style), url("rest"));
      findings.push(...(await findingsOf(soapChecks, caller, version)));
    }
    return { program: `soap ${released}`, unit: "checks", checked: size, passed: size - findings.length, findings };
  },
};
