import type { QueryParameter } from '@wagmi/core/internal'

/** The part of TanStack Query's client that redeemkit needs, in any framework. */
export type QueryCache = {
  getQueryData(queryKey: readonly unknown[]): unknown
  invalidateQueries(filters: { queryKey: readonly unknown[] }): Promise<void>
  resetQueries(filters: { queryKey: readonly unknown[] }): Promise<void>
}

/** `query`: other TanStack Query options, except key and function. */
export type QueryOf<data, queryKey extends readonly unknown[]> = {
  query?: (Overrides<data, queryKey> & { enabled?: boolean | undefined }) | undefined
}

/** Query options for TanStack Query, in any framework. */
export type QueryOptionsOf<data, queryKey extends readonly unknown[]> = Overrides<data, queryKey> & {
  queryKey: queryKey
  queryFn: (context: { signal: AbortSignal; client: QueryCache }) => Promise<data>
  enabled: boolean
}

type Overrides<data, queryKey extends readonly unknown[]> = Omit<
  NonNullable<QueryParameter<data, Error, data, queryKey>['query']>,
  'enabled'
>

/** `mutation`: other TanStack Query options and callbacks. */
export type MutationOf<data, variables> = {
  mutation?: MutationEvents<data, variables> | undefined
}

/** Mutation options for TanStack Query, in any framework. */
export type MutationOptionsOf<data, variables> = MutationEvents<data, variables> & {
  mutationKey: readonly unknown[]
  mutationFn: (variables: variables) => Promise<data>
}

type MutationEvents<data, variables> = {
  retry?: boolean
  networkMode?: 'online' | 'always' | 'offlineFirst'
  /** Milliseconds for which to keep an unmounted component's result. */
  gcTime?: number
  meta?: Record<string, unknown>
  onMutate?: (variables: variables, context: MutationContext) => unknown
  onSuccess?: (data: data, variables: variables, onMutated: unknown, context: MutationContext) => unknown
  onError?: (error: Error, variables: variables, onMutated: unknown, context: MutationContext) => unknown
  onSettled?: (
    data: data | undefined,
    error: Error | null,
    variables: variables,
    onMutated: unknown,
    context: MutationContext,
  ) => unknown
}

type MutationContext = { client: QueryCache }

/** Queries are not retried, because the client already retries where that helps (PROTOCOL.md 7.3). */
export const retry = false

/** A mutation runs once, on its click. While offline, it must not be paused and run later, when the customer does not expect it. */
export const mutationDefaults = { retry: false, networkMode: 'always' } as const

/** Drops functions and turns bigints into text, so that TanStack Query can hash the key and a server can send its cache. */
export function plainKey(value: object): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part)),
  )
}
