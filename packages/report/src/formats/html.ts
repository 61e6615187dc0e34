// The report as one self-contained web page.
import type { Format } from "../registry/format.ts";
import { htmlPage } from "../html/page.ts";

export const format: Format = {
  name: "html",
  fileExtension: "html",
  mediaType: "text/html; charset=utf-8",
  render: htmlPage,
};
