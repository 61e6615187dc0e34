// The customer service: five coarse calls, and a getter and a setter for each of the six attributes.
import type { CustomerStore } from "./customer-store.ts";
import { create, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { EmptySchema, FeatureSet_FieldPresence as Presence, type FieldMask } from "@bufbuild/protobuf/wkt";
import { CallError, handlersOf, type Handlers, type Methods } from "@roundtrip/contract";
import * as pb from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { idBefore, pageSizeFor, pageTokenAfter } from "./paging.ts";
import { unknownPaths } from "./read-masks.ts";

// The rule `required` is checked before a handler runs. This check is for the compiler, and for contracts without the rule.
export function required<T>(value: T | undefined, field: string): T {
  if (value === undefined) throw new CallError("INVALID_ARGUMENT", `${field}: value is required`);
  return value;
}

/** Without a mask, a write changes the attributes that are not empty (AIP-134). */
function populatedFields(customer: pb.Customer) {
  const values = reflect(pb.CustomerSchema, customer, false);
  return pb.CustomerSchema.fields.filter((field) => values.isSet(field));
}

type CustomerMethods = Methods<typeof pb.CustomerService>;
type MethodsNamed<Name> = Pick<CustomerMethods, Extract<keyof CustomerMethods, Name>>;

type Coarse = Pick<
  CustomerMethods,
  "getCustomer" | "listCustomers" | "createCustomer" | "updateCustomer" | "deleteCustomer"
>;

function coarseMethods(store: CustomerStore): Coarse {
  return {
    getCustomer({ id, readMask }) {
      if (readMask === undefined || readMask.paths.length === 0) return store.get(id);
      // Checks the mask before it looks up the customer, so that an invalid mask is always the first error.
      const fields = maskedFields(pb.CustomerSchema, readMask, "read_mask");
      const masked = create(pb.CustomerSchema);
      copyFields(pb.CustomerSchema, fields, store.get(id), masked);
      return masked;
    },
    listCustomers({ pageSize, pageToken }) {
      const { customers, more } = store.page(idBefore(pageToken), pageSizeFor(pageSize));
      const last = customers.at(-1);
      const nextPageToken = more && last !== undefined ? pageTokenAfter(last.id) : "";
      return create(pb.ListCustomersResponseSchema, { customers: [...customers], nextPageToken });
    },
    createCustomer: ({ customer }) => store.add(required(customer, "customer")),
    updateCustomer(request) {
      const change = required(request.customer, "customer");
      const mask = request.updateMask;
      const fields =
        mask === undefined || mask.paths.length === 0
          ? populatedFields(change)
          : maskedFields(pb.CustomerSchema, mask, "update_mask");
      const changed = { ...store.get(change.id) };
      // The id selects the customer; a mask that names it has no effect.
      copyFields(pb.CustomerSchema, fields, change, changed);
      store.replace(changed);
      return changed;
    },
    deleteCustomer({ id }) {
      store.remove(id);
      return create(EmptySchema);
    },
  };
}

function getters(store: CustomerStore): Omit<MethodsNamed<`getCustomer${string}`>, keyof Coarse> {
  return {
    getCustomerId: ({ id }) => create(pb.GetCustomerIdResponseSchema, { id: store.get(id).id }),
    getCustomerName: ({ id }) => create(pb.GetCustomerNameResponseSchema, { name: store.get(id).name }),
    getCustomerAddress: ({ id }) => create(pb.GetCustomerAddressResponseSchema, { address: store.get(id).address }),
    getCustomerVatIdentificationNumber: ({ id }) =>
      create(pb.GetCustomerVatIdentificationNumberResponseSchema, {
        vatIdentificationNumber: store.get(id).vatIdentificationNumber,
      }),
    getCustomerMail: ({ id }) => create(pb.GetCustomerMailResponseSchema, { mail: store.get(id).mail }),
    getCustomerPhoneNumber: ({ id }) =>
      create(pb.GetCustomerPhoneNumberResponseSchema, { phoneNumber: store.get(id).phoneNumber }),
  };
}

function setters(store: CustomerStore): MethodsNamed<`setCustomer${string}`> {
  return {
    setCustomerId({ id, newId }) {
      store.rename(id, newId);
      return create(pb.SetCustomerIdResponseSchema, { id: newId });
    },
    setCustomerName(request) {
      const name = required(request.name, "name");
      store.replace({ ...store.get(request.id), name });
      return create(pb.SetCustomerNameResponseSchema, { name });
    },
    setCustomerAddress(request) {
      const address = required(request.address, "address");
      store.replace({ ...store.get(request.id), address });
      return create(pb.SetCustomerAddressResponseSchema, { address });
    },
    setCustomerVatIdentificationNumber(request) {
      const vatIdentificationNumber = required(request.vatIdentificationNumber, "vat_identification_number");
      store.replace({ ...store.get(request.id), vatIdentificationNumber });
      return create(pb.SetCustomerVatIdentificationNumberResponseSchema, { vatIdentificationNumber });
    },
    setCustomerMail(request) {
      const mail = required(request.mail, "mail");
      store.replace({ ...store.get(request.id), mail });
      return create(pb.SetCustomerMailResponseSchema, { mail });
    },
    setCustomerPhoneNumber(request) {
      const phoneNumber = required(request.phoneNumber, "phone_number");
      store.replace({ ...store.get(request.id), phoneNumber });
      return create(pb.SetCustomerPhoneNumberResponseSchema, { phoneNumber });
    },
  };
}

/** The handlers of CustomerService on a store. */
export function customerHandlers(store: CustomerStore): Handlers {
  return handlersOf(pb.CustomerService, { ...coarseMethods(store), ...getters(store), ...setters(store) });
}

/** The fields that a mask names, in the order of the message. A single `*` names all. Throws INVALID_ARGUMENT for unknown paths. */
function maskedFields(schema: DescMessage, mask: FieldMask, maskName: string): readonly DescField[] {
  if (mask.paths.length === 1 && mask.paths[0] === "*") return schema.fields;
  const { paths } = mask;
  const fields = schema.fields.filter(({ name }) => paths.includes(name));
  // Names are unique, so if there are as many fields as paths, each path is a field.
  if (fields.length === paths.length) return fields;
  const unknown = paths.filter((path) => !schema.fields.some(({ name }) => name === path));
  if (unknown.length > 0) throw unknownPaths(schema, unknown, maskName);
  return fields;
}

type Fields = Record<string, unknown>;

/** A field that is a plain property of the message: without presence, and in no oneof. */
function isPlain({ fieldKind, presence, oneof }: DescField): boolean {
  return fieldKind === "scalar" && presence === Presence.IMPLICIT && oneof === undefined;
}

function reflectField(schema: DescMessage, field: DescField, from: Message, to: Message): void {
  const source = reflect(schema, from, false);
  const target = reflect(schema, to, false);
  if (source.isSet(field)) target.set(field, source.get(field));
  else target.clear(field);
}

/** Copies these fields from one message to another of the same type. */
function copyFields(schema: DescMessage, fields: readonly DescField[], from: Message, to: Message): void {
  for (const field of fields) {
    if (isPlain(field)) (to as unknown as Fields)[field.localName] = (from as unknown as Fields)[field.localName];
    else reflectField(schema, field, from, to);
  }
}
