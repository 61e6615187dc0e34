// The SOAP server on node:http alone. The XML parser belongs to the style.
import { httpServerBinding } from "../../../shared/http-settings.ts";

export const server = httpServerBinding();
