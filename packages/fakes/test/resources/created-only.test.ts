// Resources that are created and named by later methods, but neither got nor listed.
import type { JsonObject } from "@bufbuild/protobuf";
import { findResources } from "@roundtrip/contract/resources";
import { describe, expect, it } from "vitest";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";
import { callsTo } from "../support/calls-to.ts";

/** A contract of articles. @param body messages and methods */
function articles(body: string, fields: string) {
  return compileContract(`
syntax = "proto3";
package acme.news.v1;
import "google/api/annotations.proto";
import "google/protobuf/empty.proto";
import "google/protobuf/field_mask.proto";
service News { ${body} }
message Article { ${fields} string title = 2; string summary = 3; State state = 4; }
enum State { STATE_UNSPECIFIED = 0; DRAFT = 1; PUBLISHED = 2; }
message CreateArticleRequest { string parent = 1; Article article = 2; string article_id = 3; int32 paper_id = 4; }
message ArticleRequest { string name = 1; }
message ArticleOfPaperRequest { int32 paper_id = 1; string article_id = 2; string title = 3; }
message UpdateArticleRequest { Article article = 1; google.protobuf.FieldMask update_mask = 2; }
message ArticleResponse { Article article = 1; }
message Receipt { string id = 1; }
`);
}

function rpc(
  name: string,
  [input, output]: readonly [string, string],
  method: string,
  path: string,
  body = "*",
): string {
  const ofBody = method === "delete" ? "" : ` body: "${body}"`;
  return `rpc ${name}(${input}) returns (${output}) { option (google.api.http) = {${method}: "${path}"${ofBody}}; }`;
}

const named = "string name = 1;";
const create = (path: string, answer = "Article") =>
  rpc("CreateArticle", ["CreateArticleRequest", answer], "post", path, "article");
const publish = (path: string, answer = "Article") => rpc("PublishArticle", ["ArticleRequest", answer], "post", path);
const remove = (path: string) => rpc("DeleteArticle", ["ArticleRequest", "google.protobuf.Empty"], "delete", path);
const update = (path: string) => rpc("UpdateArticle", ["UpdateArticleRequest", "Article"], "patch", path, "article");

describe("a resource that is only created and named later", () => {
  it("has the name that its caller chose, and keeps its fields and its state", async () => {
    const call = callsTo(articles(create("/v1/articles") + publish("/v1/{name=articles/*}:publish"), named));
    const created = await call("CreateArticle", { articleId: "a1", article: { title: "Tides" } });
    expect(created).toMatchObject({ name: "articles/a1", title: "Tides", state: "DRAFT" });
    const published = { ...created, state: "PUBLISHED" };
    expect(await call("PublishArticle", { name: "articles/a1" })).toEqual(published);
    expect(await call("PublishArticle", { name: "articles/a1" })).toEqual(published);
    await expect(call("PublishArticle", { name: "articles/a2" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(call("CreateArticle", { articleId: "a1", article: {} })).rejects.toMatchObject({
      code: "ALREADY_EXISTS",
    });
  });

  it("is below a parent, in wrappers", async () => {
    const methods =
      create("/v1/{parent=papers/*}/articles", "ArticleResponse") +
      publish("/v1/{name=papers/*/articles/*}:publish", "ArticleResponse");
    const call = callsTo(articles(methods, named));
    const request = { parent: "papers/times", articleId: "a1", article: { title: "Tides" } };
    const { article } = await call("CreateArticle", request);
    const name = "papers/times/articles/a1";
    expect(article).toMatchObject({ name, title: "Tides" });
    const published = { ...(article as JsonObject), state: "PUBLISHED" };
    expect(await call("PublishArticle", { name })).toEqual({ article: published });
  });

  it("is changed by an update alone", async () => {
    const call = callsTo(articles(create("/v1/articles") + update("/v1/{article.name=articles/*}"), named));
    const article = await call("CreateArticle", { articleId: "a1", article: { title: "Tides" } });
    expect(article).toMatchObject({ name: "articles/a1", title: "Tides" });
    const change = { article: { name: "articles/a1", title: "Ebb" }, updateMask: "title" };
    expect(await call("UpdateArticle", change)).toEqual({ ...article, title: "Ebb" });
  });

  it("is gone after a removal alone", async () => {
    const call = callsTo(articles(create("/v1/articles") + remove("/v1/{name=articles/*}"), named));
    const { name = "" } = await call("CreateArticle", { articleId: "a1", article: { title: "Tides" } });
    expect(name).toBe("articles/a1");
    expect(await call("DeleteArticle", { name })).toEqual({});
    await expect(call("DeleteArticle", { name })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("has the ids of a path as its key", async () => {
    const rename = rpc(
      "RenameArticle",
      ["ArticleOfPaperRequest", "Article"],
      "post",
      "/v1/papers/{paper_id}/articles/{article_id}:rename",
    );
    const call = callsTo(
      articles(create("/v1/papers/{paper_id}/articles") + rename, "string id = 1; int32 paper_id = 5;"),
    );
    const created = await call("CreateArticle", { paperId: 3, article: { title: "Tides" } });
    const request = { paperId: 3, articleId: created["id"] as string, title: "Ebb" };
    expect(await call("RenameArticle", request)).toEqual({ ...created, title: "Ebb" });
  });
});

it.each([
  ["nothing names it", create("/v1/articles")],
  [
    "what names it answers with something else",
    create("/v1/articles") + publish("/v1/{name=articles/*}:publish", "Receipt"),
  ],
  [
    "a later request is one itself",
    create("/v1/articles") + rpc("RepeatArticle", ["Article", "Article"], "post", "/v1/articles:repeat"),
  ],
  ["its creation answers with something else", create("/v1/articles", "Receipt") + remove("/v1/{name=articles/*}")],
])("is none where %s", (_why, methods) => {
  expect(findResources(articles(methods, named))).toEqual([]);
});
