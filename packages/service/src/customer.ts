// The customer service: five coarse calls, and a getter and a setter for each of the six attributes.
import type { CustomerStore } from "./customer-store.ts";
import { create } from "@bufbuild/protobuf";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import { CallError, handlersOf, type Handlers, type Methods } from "@roundtrip/contract";
import { copyMasked, everyField, populatedFields, readMask, writeMask } from "@roundtrip/contract/field-masks";
import * as pb from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { idBefore, pageSizeFor, pageTokenAfter } from "./paging.ts";

// The rule `required` is checked before a handler runs. This check is for the compiler, and for contracts without the rule.
export function required<T>(value: T | undefined, field: string): T {
  if (value === undefined) throw new CallError("INVALID_ARGUMENT", `${field}: value is required`);
  return value;
}

type CustomerMethods = Methods<typeof pb.CustomerService>;
type MethodsNamed<Name> = Pick<CustomerMethods, Extract<keyof CustomerMethods, Name>>;

type Coarse = Pick<
  CustomerMethods,
  "getCustomer" | "listCustomers" | "createCustomer" | "updateCustomer" | "deleteCustomer"
>;

function coarseMethods(store: CustomerStore): Coarse {
  return {
    getCustomer({ id, readMask: mask }) {
      // Before the customer is looked up, so that an invalid mask is always the first error.
      const read = readMask(pb.CustomerSchema, mask);
      return read(store.get(id));
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
          ? populatedFields(pb.CustomerSchema, change)
          : (writeMask(pb.CustomerSchema, mask, "update_mask") ?? everyField(pb.CustomerSchema));
      const changed = { ...store.get(change.id) };
      // The id selects the customer; a mask that names it has no effect.
      copyMasked(pb.CustomerSchema, fields, change, changed);
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

export function customerHandlers(store: CustomerStore): Handlers {
  return handlersOf(pb.CustomerService, { ...coarseMethods(store), ...getters(store), ...setters(store) });
}
