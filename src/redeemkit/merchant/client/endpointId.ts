import type { endpoints } from '../../schema/endpoints/endpoints.ts'

/** Name of a call: what a client's method for it is called. */
export type EndpointId = (typeof endpoints)[number]['id']
