import type * as z from 'zod/mini'
import type { HeaderNames } from '../../core/headerNames.ts'

/** A header by its key in `headerNames`; `authorization` carries no prefix. */
export type EndpointHeader = keyof HeaderNames | 'authorization'

/** One call of the protocol (PROTOCOL.md 2.1). */
export type Endpoint = {
  /** Unique; what a client's method for it is called. */
  id: string
  method: 'GET' | 'POST'
  /** Parameters stand in braces. */
  path: `/api/${string}`
  headers: {
    required: readonly EndpointHeader[]
    optional: readonly EndpointHeader[]
    /** At least one of these groups has to be there, too, whole. */
    oneOf?: readonly (readonly EndpointHeader[])[]
  }
  body?: z.core.$ZodType
  query?: z.core.$ZodType
  /** Of a 200. */
  answer: z.core.$ZodType
  /** Statuses of errors that belong to this call, beside those that every call has. */
  errors?: readonly (402 | 404 | 409 | 412 | 423 | 451)[]
  /** `false` for what the protocol adds because every demonstration of such a service has it (PROTOCOL.md 2.11). */
  ofTheDocuments: boolean
  summary: string
}
