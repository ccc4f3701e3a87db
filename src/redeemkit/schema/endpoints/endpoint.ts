import type * as z from 'zod/mini'
import type { HeaderNames } from '../../core/headerNames.ts'

/** A header by its key in `headerNames`, or `authorization`, which has no prefix. */
export type EndpointHeader = keyof HeaderNames | 'authorization'

/** One call of the protocol (PROTOCOL.md 2.1). */
export type Endpoint = {
  /** Unique. It is also the name of the client's method. */
  id: string
  method: 'GET' | 'POST'
  /** Parameters are in braces. */
  path: `/api/${string}`
  headers: {
    required: readonly EndpointHeader[]
    optional: readonly EndpointHeader[]
    /** All headers of at least one of these groups are also required. */
    oneOf?: readonly (readonly EndpointHeader[])[]
  }
  body?: z.core.$ZodType
  query?: z.core.$ZodType
  /** Body of a 200. */
  answer: z.core.$ZodType
  /** Error statuses of this call, in addition to those of every call. */
  errors?: readonly (402 | 404 | 409 | 410 | 412 | 423 | 451)[]
  /** `false` for the calls of PROTOCOL.md 2.11. */
  ofTheDocuments: boolean
  summary: string
}
