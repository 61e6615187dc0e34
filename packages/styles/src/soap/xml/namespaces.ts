// The XML namespaces that SOAP, its schemas and its descriptions use.
export const xsdNamespace = "http://www.w3.org/2001/XMLSchema";
export const xsiNamespace = "http://www.w3.org/2001/XMLSchema-instance";
export const wsdlNamespace = "http://schemas.xmlsoap.org/wsdl/";
export const wsdlSoap11Namespace = "http://schemas.xmlsoap.org/wsdl/soap/";
export const wsdlSoap12Namespace = "http://schemas.xmlsoap.org/wsdl/soap12/";
/** The transport of both bindings: SOAP over HTTP. */
export const httpTransport = "http://schemas.xmlsoap.org/soap/http";
/** The namespace of the details of a fault. */
export const errorNamespace = "urn:roundtrip:error";
