// SOAP 1.1 and 1.2 over HTTP/1.1, document/literal wrapped, with a WSDL description.
import type { Style } from "../basics/style.ts";
import { limitations } from "./limitations.ts";
import { viewOf } from "./view.ts";

const noControls = "XML 1.0 has no control characters, not even escaped";

export const style: Style = {
  name: "soap",
  title: "SOAP",
  role: "style",
  libraries: ["saxes", "@bufbuild/protobuf"],
  limitations,
  serverSettings: [],
  deviations: [
    { caseId: "RT-0106", reason: noControls },
    { caseId: "RT-0152", reason: noControls },
    { caseId: "RT-0155", reason: "an enumeration of XML Schema has only its declared names" },
  ],
  missingOperationErrors: [],
  autocannon: true,
  k6: "k6 has no reader of XML, so a script could not distinguish faults by their codes, nor check values",
  health: { protocol: "http", path: "/soap?wsdl", headers: {} },
  inspection: { kind: "page", title: "SOAP page", path: "" },
  view: viewOf,
  async documents(contract) {
    const { wsdlOf } = await import("./schema/wsdl.ts");
    return [{ fileName: "service.wsdl", text: wsdlOf(contract, "http://localhost/soap") }];
  },
};
