// How SOAP expresses the rules that apply to every style.
import type { StyleRules } from "../basics/rules.ts";
import { headerForms, httpLimitForms, httpServerLimits, noStreams } from "../shared/http/http-rules.ts";
import { isCallersFault } from "./errors.ts";

export const rules: StyleRules = {
  ending: {
    heading: "SOAP 1.1 `faultcode`, 1.2 `Code`",
    form: (code) => (code === "OK" ? "–" : isCallersFault(code) ? "`Client`, `Sender`" : "`Server`, `Receiver`"),
  },
  forms: {
    Errors: {
      Code: "`code` of `Error` in the detail; SOAP 1.2 has it as the subcode too",
      Message: "`faultstring`, or the text of the reason",
      Details: "elements of `Error` in the detail, of a type in the WSDL",
    },
    Values: {
      Numbers: "`xs:int`, `xs:unsignedInt`, `xs:long`, `xs:unsignedLong`, `xs:float` and `xs:double`, all exact",
      Bytes: "`xs:base64Binary`",
      Times: "`xs:dateTime`",
      Durations: "`xs:duration` without years and months",
      "Any JSON": "elements of the message, with a choice for each value",
      "Raw bodies": "a message, its bytes in base64",
      "Null and duplicates":
        "`xsi:nil` of a wrapper is an absent one; an element that occurs twice is INVALID_ARGUMENT",
      "Not expressible in JSON":
        "the same for what XML 1.0 cannot carry: control characters, and numbers that an enum does not name; mask paths, and an Any, are passed on",
    },
    Limits: {
      ...httpLimitForms,
      Request: "the body: 413",
      Answer: "the body",
      "Concurrent calls": "one",
    },
    Deadlines: {
      "On the wire": "`x-request-timeout-ms`",
      "When it passes": "a fault",
      "When the caller leaves": "the connection is closed",
    },
    Metadata: headerForms,
    Authentication: {
      Token: "header, a fault",
      Permission: "a fault",
      "The contract itself": "the WSDL, also behind the interceptors",
      "Request id": "header",
    },
    Streams: noStreams,
  },
  limits: httpServerLimits,
  ownLimits: [
    { limit: "nesting of XML elements", most: "256", form: "INVALID_ARGUMENT" },
    { limit: "attributes of an XML element", most: "64", form: "INVALID_ARGUMENT" },
  ],
};
