// GraphQL over HTTP by curl: queries by POST and GET, and invalid documents and requests.
import type { CurlCall } from "./call.ts";

const answer = /application\/graphql-response\+json(;.*)?/;
const accept = ["--header", "accept: application/graphql-response+json"];

interface GraphQl extends Omit<CurlCall, "style" | "input"> {}

function post(body: Readonly<Record<string, unknown>>): readonly string[] {
  return ["--header", "content-type: application/json", ...accept, "--data", JSON.stringify(body), "$URL"];
}

const graphql: readonly GraphQl[] = [
  {
    id: "graphql-post",
    about: "POST answers a query with variables",
    arguments: post({
      query: "query ($id: Int!) { customer(id: $id) { id mail } }",
      variables: { id: 2 },
    }),
    status: 200,
    headers: { "content-type": answer },
    body: /^\{"data":\{"customer":\{"id":2,"mail":"[^"]+"\}\}\}\s*$/,
  },
  {
    id: "graphql-get",
    about: "GET answers a query",
    arguments: [
      "--get",
      "--header",
      "apollo-require-preflight: true",
      ...accept,
      "--data-urlencode",
      "query={ customer(id: 2) { id } }",
      "$URL",
    ],
    status: 200,
    headers: { "content-type": answer },
    body: /^\{"data":\{"customer":\{"id":2\}\}\}\s*$/,
  },
  {
    id: "graphql-power",
    about: "a list of numbers in a document is computed with, without variables",
    arguments: post({
      query: "{ power(matrix: { size: 2, elements: [1, 1, 0, 1] }, exponent: 5) { power { elements } } }",
    }),
    status: 200,
    headers: { "content-type": answer },
    body: /^\{"data":\{"power":\{"power":\{"elements":\[1,5,0,1\]\}\}\}\}\s*$/,
  },
  {
    id: "graphql-get-mutation",
    about: "GET changes nothing",
    arguments: [
      "--get",
      "--header",
      "apollo-require-preflight: true",
      ...accept,
      "--data-urlencode",
      "query=mutation { deleteCustomer(input: { id: 2 }) }",
      "$URL",
    ],
    status: 405,
    headers: {},
    body: /errors/,
  },
  {
    id: "graphql-not-found",
    about: "a resource that is missing is an error at its path, with its canonical code",
    arguments: post({ query: "{ customer(id: 99999) { id } }" }),
    status: 200,
    headers: { "content-type": answer },
    body: /"path":\["customer"\].*"code":"NOT_FOUND"/,
  },
  {
    id: "graphql-syntax",
    about: "a document that cannot be read is a bad request",
    arguments: post({ query: "{ customer(" }),
    status: 400,
    headers: { "content-type": answer },
    body: /^\{"errors":\[/,
  },
  {
    id: "graphql-unknown-field",
    about: "a field that is not there is a bad request",
    arguments: post({ query: "{ nothing }" }),
    status: 400,
    headers: { "content-type": answer },
    body: /Cannot query field/,
  },
  {
    id: "graphql-form",
    about: "a request in a type that a web page of another origin could send is refused",
    arguments: ["--data", "query={ __typename }", "$URL"],
    status: 415,
    headers: {},
    body: /errors/,
  },
];

export const graphqlCalls: readonly CurlCall[] = graphql.map((call) => ({
  ...call,
  style: "graphql",
  input: "",
}));
