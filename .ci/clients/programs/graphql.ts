// Apollo Client and urql, with documents that graphql-codegen typed.
import { ApolloClient, CombinedGraphQLErrors, HttpLink, InMemoryCache } from "@apollo/client";
import { Client, fetchExchange } from "@urql/core";
import { graphql } from "./documents/index.ts";
import { assert, created, env, hotelOf, report } from "./report.ts";

const createHotel = graphql(`
  mutation CreateHotel($input: CreateHotelInput!) {
    createHotel(input: $input) {
      name
      displayName
    }
  }
`);
const getHotel = graphql(`
  query GetHotel($name: String!) {
    hotel(name: $name) {
      name
      displayName
      reviewCount
      createTime
    }
  }
`);
const listRooms = graphql(`
  query ListRooms($parent: String!) {
    rooms(parent: $parent, pageSize: 3) {
      rooms {
        name
        kind
        beds
      }
    }
  }
`);
const watch = graphql(`
  subscription Watch($name: String!) {
    watchReservation(name: $name) {
      eventTime
    }
  }
`);

interface Violation {
  readonly field: string;
}
interface Extensions {
  readonly code?: string;
  readonly reason?: string;
  readonly violations?: readonly Violation[];
}

/** What both clients do, each with its own calls and errors. */
interface Caller {
  readonly create: (hotel: object) => Promise<{ name: string; displayName: string }>;
  readonly get: (name: string) => Promise<{ displayName: string; reviewCount: string } | null | undefined>;
  readonly beds: (parent: string) => Promise<readonly number[]>;
  readonly extensionsOf: (thrown: unknown) => Extensions;
  readonly first: (name: string) => Promise<unknown>;
}

function apollo(): Caller {
  const client = new ApolloClient({ link: new HttpLink({ uri: env["GRAPHQL"]! }), cache: new InMemoryCache() });
  return {
    create: async (hotel) =>
      (await client.mutate({ mutation: createHotel, variables: { input: { hotel: hotel as never } } })).data!
        .createHotel,
    get: async (name) => (await client.query({ query: getHotel, variables: { name } })).data?.hotel,
    beds: async (parent) =>
      (await client.query({ query: listRooms, variables: { parent } })).data?.rooms?.rooms.map(({ beds }) => beds) ??
      [],
    extensionsOf: (thrown) => (CombinedGraphQLErrors.is(thrown) ? (thrown.errors[0]?.extensions as Extensions) : {}),
    first: (name) =>
      new Promise((resolve, reject) => {
        client.subscribe({ query: watch, variables: { name } }).subscribe({
          next: ({ data, error }) => (error === undefined ? resolve(data) : reject(error)),
          error: reject,
        });
      }),
  };
}

function urql(): Caller {
  const client = new Client({
    url: env["GRAPHQL"]!,
    exchanges: [fetchExchange],
    fetchSubscriptions: true,
    preferGetMethod: false,
  });
  const done = async <T>(result: PromiseLike<{ data?: T; error?: unknown }>): Promise<T> => {
    const { data, error } = await result;
    if (error !== undefined) throw error;
    return data!;
  };
  return {
    create: async (hotel) =>
      (await done(client.mutation(createHotel, { input: { hotel: hotel as never } }))).createHotel,
    get: async (name) => (await done(client.query(getHotel, { name }))).hotel,
    beds: async (parent) =>
      (await done(client.query(listRooms, { parent }))).rooms?.rooms.map(({ beds }) => beds) ?? [],
    extensionsOf: (thrown) =>
      (thrown as { graphQLErrors: readonly { extensions: Extensions }[] }).graphQLErrors[0]?.extensions ?? {},
    first: (name) =>
      new Promise((resolve, reject) => {
        client.subscription(watch, { name }).subscribe(({ data, error }) => (error ? reject(error) : resolve(data)));
      }),
  };
}

// urql aborts what it has read already, and Node.js reports that.
process.on("unhandledRejection", (reason) => {
  if ((reason as Error).name !== "AbortError") throw reason;
});

const caller = env["CLIENT"] === "urql" ? urql() : apollo();
const failure = async (call: Promise<unknown>) =>
  caller.extensionsOf(
    await call.then(
      () => undefined,
      (thrown: unknown) => thrown,
    ),
  );

await report({
  connects: async () => {
    const { name, displayName } = await caller.create(hotelOf(env["CLIENT"]!));
    assert.equal((await caller.get(name))?.displayName, displayName);
    created(name);
  },
  typed: async () => {
    const beds: readonly number[] = await caller.beds("hotels/hotel-1");
    assert.ok(beds.length > 0 && beds.every((count) => count >= 1));
  },
  errors: async () => {
    const { code, reason } = await failure(caller.get("hotels/none"));
    assert.deepEqual([code, reason], ["NOT_FOUND", "HOTEL_NOT_FOUND"]);
    const { violations } = await failure(caller.create({ ...hotelOf("x"), displayName: "" }));
    assert.equal(violations?.[0]?.field, "hotel.displayName");
  },
  streams: async () => assert.match(JSON.stringify(await caller.first(env["RESERVATION"]!)), /eventTime/),
});
