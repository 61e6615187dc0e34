const [input, baseUrl] = [process.env["OPENAPI"]!, process.env["REST"] ?? ""];
export default { api: { input, output: { target: "orval-api.ts", client: "fetch", baseUrl, mode: "single" } } };
