// Allowed deviations of the REST server from its OpenAPI document, with reasons.
import type { Allowance } from "../suite.ts";

export const allowed: readonly Allowance[] = [
  {
    id: "not_a_server_error * 504 DEADLINE_EXCEEDED",
    reason:
      "the request sets a deadline of zero or few milliseconds, which passes: the answer has the canonical status",
    occurs: "in every run",
    stacks: "all",
  },
  {
    id: "positive_data_acceptance GET /v1/* 400 INVALID_ARGUMENT pageToken/page_token",
    reason: "a page token is opaque: one that no page gave is refused, which a schema has no word for",
    occurs: "in every run",
    stacks: "all",
  },
  {
    id: "positive_data_acceptance PATCH /v1/customers/{id} 400 INVALID_ARGUMENT customer.id/json",
    reason: "the body may repeat the id of the path and not contradict it, which a schema has no word for",
    occurs: "in every run",
    stacks: "all",
  },
  {
    id: "negative_data_rejection * 20* in body - *ncorrect type",
    reason:
      "ProtoJSON reads null as absent, and a number also from text; the document names the one form that answers have",
    occurs: "in every run",
    stacks: "all",
  },
  {
    id: "positive_data_acceptance * /v1/customers/{id}* 400 INVALID_ARGUMENT id/json",
    reason: "7.0 is an integer in JSON Schema and in JSON bodies, but not in a path",
    occurs: "by chance",
    stacks: "all",
  },
  {
    id: "positive_data_acceptance POST /v1/payload:echo 400 INVALID_ARGUMENT data/json",
    reason: "what is no Base64 is refused, while JSON Schema takes `contentEncoding` for a remark",
    occurs: "by chance",
    stacks: "all",
  },
  {
    id: "positive_data_acceptance POST /v1/matrices:power 400 INVALID_ARGUMENT matrix.elements/matrix.square",
    reason: "a square matrix has as many elements as its size squared, which a schema has no word for",
    occurs: "in every run",
    stacks: "all",
  },
  {
    id: "error GET /v1/payload",
    reason:
      "a deadline of few milliseconds that passes in the middle of a body of bytes ends it without its end (0026)",
    occurs: "by chance",
    stacks: "all",
  },
  {
    id: "negative_data_rejection PATCH /v1/customers/{id} 200 in body - id: Value smaller than minimum",
    reason:
      "zero is what a field without presence has when nothing is given: it does not contradict the id of the path",
    occurs: "by chance",
    stacks: "all",
  },
  {
    id: "negative_data_rejection GET /v1/* 200 parameter `readMask` in query - violates `enum` *",
    reason: "`readMask=` is the empty mask, which asks for everything, and no list with an empty name in it",
    occurs: "by chance",
    stacks: "all",
  },
  {
    id: "positive_data_acceptance POST /v1/invoices 400 INVALID_ARGUMENT invoice.*",
    reason:
      "a message in a list shares its component with answers, which need no field; and no schema says that a pattern refuses what a missing text is",
    occurs: "in every run",
    stacks: "all",
  },
  {
    id: "positive_data_acceptance POST /v1/invoices 400 INVALID_ARGUMENT …/json",
    reason: "a message in a list refuses unknown fields, while its component is that of answers, which may gain fields",
    occurs: "by chance",
    stacks: "all",
  },
  {
    id: "positive_data_acceptance POST /v1/invoices/{id}:pay 400 FAILED_PRECONDITION",
    reason: "an invoice is paid once, which a schema has no word for",
    occurs: "in every run",
    stacks: "all",
  },
  {
    id: "positive_data_acceptance GET /v1/* 400 INVALID_ARGUMENT readMask/field_mask",
    reason: "the document says of long masks that they have texts, and not all the paths that there are",
    occurs: "by chance",
    stacks: "all",
  },
  {
    id: "negative_data_rejection GET /v1/customers/{customerId}/invoices 200 parameter `status` in query - *",
    reason: "ProtoJSON reads a value of an enum from its number too",
    occurs: "in every run",
    stacks: "all",
  },
  {
    id: "response_schema_conformance GET /v1/invoices/{id} 200",
    reason: "an answer has only what its read mask names, also of what the contract requires",
    occurs: "in every run",
    stacks: "all",
  },
];
