// Linked data: a customer with the last invoices, their lines and the products of these, by one coarse call, by one call for each thing, by batches,
// and by one GraphQL document over edges. Varied around a base: the invoices, the levels of links, the fields that are needed, and the distance.
import {
  linkDefaults,
  type LinkSettings,
  type Plan,
  sequentialPlan,
  type Step,
  type Study,
  type Task,
  taskDefaults,
} from "@roundtrip/runner";
import { customerService } from "../shared-tasks.ts";

const invoiceService = "roundtrip.v1.InvoiceService";
const productService = "roundtrip.v1.ProductService";

const customerId = 1;

/** The products of the lines of the customer's invoices, 20 to 1, as the service begins with them. */
export const productsOfInvoices: readonly (readonly number[])[] = [
  [2513, 717, 2866, 246, 2596],
  [2784, 3988, 71, 4187, 3893],
  [4426, 1318, 3633, 1173, 747],
  [4241, 2965, 1786, 2462, 3364],
  [2159, 635, 3216, 924, 2822],
  [3485, 553, 4798, 3466, 216],
  [4267, 4887, 4228, 3456, 4066],
  [4858, 4142, 3929, 3157, 4235],
  [680, 2772, 2391, 723, 1925],
  [38, 3514, 1541, 2913, 2991],
  [4572, 2960, 2155, 2855, 4681],
  [4450, 2501, 3643, 224, 4944],
  [3032, 3939, 1189, 4466, 4210],
  [4999, 4772, 3438, 4449, 2713],
  [497, 4710, 4972, 1583, 2783],
  [3691, 1664, 4970, 1693, 669],
  [4557, 98, 944, 1803, 3363],
  [936, 1435, 1005, 4906, 1354],
  [346, 4997, 4859, 1344, 4392],
  [572, 2807, 209, 4054, 3062],
];

/** The fields that are needed of each message. Those by which links are followed come on top, in every variant. */
interface Needed {
  readonly customer: readonly string[];
  readonly invoices: readonly string[];
  readonly lines: readonly string[];
  readonly products: readonly string[];
}

const everyField: Needed = {
  customer: ["id", "name", "address", "vatIdentificationNumber", "mail", "phoneNumber"],
  invoices: ["customerId", "issueTime", "currency", "status", "netTotal", "taxTotal", "grossTotal"],
  lines: ["quantity", "unitPrice"],
  products: ["name", "price", "description"],
};

/** By how many of all 18 fields are needed: about 10, 50 and 100 %. */
const neededFields: Readonly<Record<number, Needed>> = {
  2: { customer: ["name"], invoices: [], lines: [], products: ["name"] },
  9: {
    customer: ["name", "mail"],
    invoices: ["issueTime", "currency", "status", "grossTotal"],
    lines: ["quantity", "unitPrice"],
    products: ["name"],
  },
  18: everyField,
};

/** The work of a task. Levels of links: to the invoices, then to their lines, then to the products. */
interface Work {
  readonly invoices: number;
  readonly levels: number;
  readonly fields: number;
}

const base: Work = { invoices: 5, levels: 3, fields: 18 };

/** The ids of the invoices, the newest first, and of their products, ascending and each once. */
export function linkedIds({
  invoices,
  levels,
}: Omit<Work, "fields">): Readonly<Record<"invoices" | "products", readonly number[]>> {
  const products = levels < 3 ? [] : productsOfInvoices.slice(0, invoices).flat();
  return {
    invoices: Array.from({ length: invoices }, (_, at) => productsOfInvoices.length * customerId - at),
    products: [...new Set(products)].toSorted((left, right) => left - right),
  };
}

/** The fields that are read of each message, with the keys of links: of a customer, an invoice and a product. */
function fieldsOf({ levels, fields }: Work): Readonly<Record<"customer" | "invoice" | "product", readonly string[]>> {
  const { customer, invoices, lines, products } = neededFields[fields] ?? everyField;
  const ofLines = ["productId", ...lines].map((name) => `lines.${name}`);
  return {
    customer,
    invoice: ["id", ...invoices, ...(levels < 2 ? [] : ofLines)],
    product: levels < 3 ? [] : ["id", ...products],
  };
}

/** The fields in an answer that every variant must have: {@link fieldsOf} by their position. */
function answerPaths(work: Work): readonly string[] {
  const { customer, invoice, product } = fieldsOf(work);
  return [...below("customer", customer), ...below("invoices", invoice), ...below("products", product)];
}

function below(member: string, names: readonly string[]): readonly string[] {
  return names.map((name) => `${member}.${name}`);
}

/** The calls of each stage at once. */
function staged(...stages: readonly (readonly Step[])[]): Plan {
  return sequentialPlan(...stages.flatMap((steps, set) => steps.map((step) => ({ ...step, set }))));
}

/** All variants of a task: names by what they call. */
export function linkedPlans(
  work: Work,
): Readonly<Record<"facade" | "whole" | "fine" | "fine-parallel" | "batched" | "listed" | "query", Plan>> {
  const { levels, fields } = work;
  const ids = linkedIds(work);
  const { customer, invoice, product } = fieldsOf(work);
  const isWhole = fields === base.fields;
  // Without a mask where all fields are needed, as callers do.
  const mask = (names: readonly string[], whole = isWhole): { readonly readMask?: string } =>
    whole ? {} : { readMask: names.join(",") };
  const needsLines = levels > 1;
  const statement = (readMask: { readonly readMask?: string }): Plan =>
    sequentialPlan({
      operation: `${invoiceService}.GetStatement`,
      request: { customerId, invoiceCount: work.invoices, ...readMask },
    });
  const getCustomer: Step = {
    operation: `${customerService}.GetCustomer`,
    request: { id: customerId, ...mask(customer) },
    into: { member: "customer" },
  };
  const list = (names: readonly string[], whole: boolean): Step => ({
    operation: `${invoiceService}.ListInvoices`,
    request: { customerId, pageSize: work.invoices, ...mask(below("invoices", names), whole) },
  });
  const listWhole = list(invoice, isWhole && needsLines);
  const listFirst = needsLines ? list(["id"], false) : listWhole;
  const getInvoices = ids.invoices.map((id, index): Step => ({
    operation: `${invoiceService}.GetInvoice`,
    request: { id, ...mask(invoice) },
    into: { member: "invoices", index },
  }));
  const getProducts = ids.products.map((id, index): Step => ({
    operation: `${productService}.GetProduct`,
    request: { id, ...mask(product) },
    into: { member: "products", index },
  }));
  const batchOf = (
    service: string,
    method: string,
    member: "invoices" | "products",
    names: readonly string[],
  ): Step => ({
    operation: `${service}.${method}`,
    request: { ids: [...ids[member]], ...mask(below(member, names)) },
  });
  const batchInvoices = batchOf(invoiceService, "BatchGetInvoices", "invoices", invoice);
  const batchProducts =
    ids.products.length === 0 ? [] : [batchOf(productService, "BatchGetProducts", "products", product)];
  const linked: readonly Step[] = [
    getCustomer,
    listWhole,
    {
      operation: `${productService}.GetProduct`,
      request: mask(product),
      into: { member: "products", eachBy: "id" },
    },
  ];
  return {
    facade: statement(isWhole && levels === base.levels ? {} : { readMask: answerPaths(work).join(",") }),
    whole: statement({}),
    fine: sequentialPlan(getCustomer, listFirst, ...(needsLines ? getInvoices : []), ...getProducts),
    "fine-parallel": staged([getCustomer, listFirst], needsLines ? getInvoices : [], getProducts),
    batched: staged([getCustomer, listFirst], needsLines ? [batchInvoices] : [], batchProducts),
    listed: staged([getCustomer, listWhole], batchProducts),
    query: { order: "linked", driver: "own", steps: levels < 3 ? linked.slice(0, 2) : linked },
  };
}

type Variant = keyof ReturnType<typeof linkedPlans>;

/** Executions in a round of a task of so many calls on this machine. */
const executions: Readonly<Record<Variant, number>> = {
  facade: 60,
  whole: 48,
  query: 60,
  batched: 24,
  listed: 24,
  "fine-parallel": 10,
  fine: 8,
};

/** The styles in which a contract is called the most. Others would take the time of more rounds. */
const styles = ["grpc", "rest", "graphql"];

/** What distinguishes a task from the base. */
interface Varied {
  readonly name: string;
  readonly work?: Partial<Work>;
  readonly variants: readonly Variant[];
  readonly links?: readonly LinkSettings[];
  /** The share of the executions that a task of its length leaves time for. */
  readonly share?: number;
  readonly settings?: Task["settings"];
}

function tasksOf({ name, work = {}, variants, links = [], share = 1, settings = {} }: Varied): readonly Task[] {
  const whole = { ...base, ...work };
  const plans = linkedPlans(whole);
  return variants.map((variant) => {
    const tasksPerRound = Math.max(1, Math.round(executions[variant] * share));
    return {
      ...taskDefaults,
      name: `statement-${name}`,
      factors: { ...work },
      settings,
      links,
      onFloor: false,
      styles: variant === "query" ? ["graphql"] : styles,
      variants: { [variant]: plans[variant] },
      answerKeys: answerPaths(whole),
      tasksPerRound,
      tasksPerBlock: tasksPerRound,
    };
  });
}

const ways: readonly Variant[] = ["facade", "fine", "fine-parallel", "batched", "listed", "query"];
const fewWays: readonly Variant[] = ["facade", "fine", "batched", "query"];
const withMasks: readonly Variant[] = ["facade", "whole", "batched", "query"];

const distances = [
  { rttMs: 0.1, share: 0.7 },
  { rttMs: 1, share: 0.4 },
  { rttMs: 20, share: 0.2 },
  { rttMs: 100, share: 0.1 },
] as const;

/** Half of the fields: answers fit into the first flight of a connection, so that round trips are those of calls. */
const smallAnswers: Partial<Work> = { fields: 9 };

export const study: Study = {
  name: "linked",
  title: "Linked data",
  question: "Which way to read linked data is best: one coarse call, many fine ones, batches, or one GraphQL query?",
  rounds: 6,
  budgetMs: 300_000,
  // First calls belong to other studies.
  takesFirstCalls: false,
  breakEvensOver: ["invoices", "levels", "fields"],
  tasks: [
    ...[1, 5, 20].flatMap((invoices) =>
      tasksOf({ name: "by-invoices", work: { invoices }, variants: ways, share: invoices === 20 ? 0.4 : 1 }),
    ),
    ...[1, 2, 3].flatMap((levels) => tasksOf({ name: "by-levels", work: { levels }, variants: fewWays })),
    ...Object.keys(neededFields).flatMap((fields) =>
      tasksOf({ name: "by-fields", work: { fields: Number(fields) }, variants: withMasks }),
    ),
    ...distances.flatMap(({ rttMs, share }) =>
      tasksOf({
        name: "over-distance",
        work: smallAnswers,
        variants: ways,
        links: [{ ...linkDefaults, rttMs }],
        share,
      }),
    ),
    ...tasksOf({
      name: "by-loads",
      work: { invoices: 20 },
      variants: ["query"],
      settings: { edgeLoads: ["each", "once", "batched"] },
    }),
  ],
};
