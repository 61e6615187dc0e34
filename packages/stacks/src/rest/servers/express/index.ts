// The REST server on express.
import { httpServerBinding } from "../../../shared/http-settings.ts";

export const server = httpServerBinding("express");
