import type { QueryParameter } from '@wagmi/core/internal'

/** What is needed of TanStack Query's client, whichever framework it is for. */
export type QueryCache = {
  getQueryData(queryKey: readonly unknown[]): unknown
  invalidateQueries(filters: { queryKey: readonly unknown[] }): Promise<void>
  resetQueries(filters: { queryKey: readonly unknown[] }): Promise<void>
}

/** `query`: whatever else TanStack Query takes, but for key and function. */
export type QueryOf<data, queryKey extends readonly unknown[]> = {
  query?: (Overrides<data, queryKey> & { enabled?: boolean | undefined }) | undefined
}

/** What a function of query options gives: for TanStack Query of any framework. */
export type QueryOptionsOf<data, queryKey extends readonly unknown[]> = Overrides<data, queryKey> & {
  queryKey: queryKey
  queryFn: (context: { signal: AbortSignal; client: QueryCache }) => Promise<data>
  enabled: boolean
}

type Overrides<data, queryKey extends readonly unknown[]> = Omit<
  NonNullable<QueryParameter<data, Error, data, queryKey>['query']>,
  'enabled'
>

/** `mutation`: what else TanStack Query takes, and is told of. */
export type MutationOf<data, variables> = {
  mutation?: MutationEvents<data, variables> | undefined
}

/** What a function of mutation options gives: for TanStack Query of any framework. */
export type MutationOptionsOf<data, variables> = MutationEvents<data, variables> & {
  mutationKey: readonly unknown[]
  mutationFn: (variables: variables) => Promise<data>
}

type MutationEvents<data, variables> = {
  retry?: boolean
  networkMode?: 'online' | 'always' | 'offlineFirst'
  /** Milliseconds that the result of a component that is gone is kept. */
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

/**
 * Whether a question is asked again after an error. The client has asked again already where that helps (PROTOCOL.md 7.3), and
 * a refusal is one the second time, too.
 */
export const retry = false

/**
 * A copy of a request as it can stand in a query key: without functions and with bigints as text, so that every hash of TanStack
 * Query takes it, and a server's cache travels to the page.
 */
export function plainKey(value: unknown): unknown {
  const text = JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part))
  return text === undefined ? null : JSON.parse(text)
}
