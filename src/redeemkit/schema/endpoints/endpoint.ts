import type * as z from 'zod/mini'
import type { HeaderNames } from '../../core/headerNames.ts'

/** A header by its key in `headerNames`, or `authorization`, which has no prefix. */
export type EndpointHeader = keyof HeaderNames | 'authorization'

/** An endpoint of the protocol (PROTOCOL.md 2.1). */
export type Endpoint = {
  /** Unique id, which is also the name of the client's method. */
  id: string
  method: 'GET' | 'POST'
  /** The path, with parameters in braces. */
  path: `/api/${string}`
  headers: {
    required: readonly EndpointHeader[]
    optional: readonly EndpointHeader[]
    /** Groups of headers. A request must also have all headers of at least one group. */
    oneOf?: readonly (readonly EndpointHeader[])[]
  }
  body?: z.core.$ZodType
  query?: z.core.$ZodType
  /** Schema of the body of a 200 response. */
  answer: z.core.$ZodType
  /** Error statuses of this endpoint, in addition to those that every endpoint has. */
  errors?: readonly (402 | 404 | 409 | 410 | 412 | 423 | 451)[]
  /** `false` for the endpoints of PROTOCOL.md 2.11. */
  ofTheDocuments: boolean
  summary: string
}
