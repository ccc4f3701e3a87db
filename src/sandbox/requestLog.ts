/** Log entry of an answered request. Without headers, query and body, so it contains no secret. */
export type RequestLogEntry = {
  /** Time of the service's clock, ISO 8601. */
  time: string
  /** Value of `x-request-id` in the response. */
  id: string
  /** The caller's `x-request-id`, if it has 1 to 64 letters, digits, `.`, `_`, `:` or `-`. */
  callerId?: string
  method: string
  /** Such as `/api/checkout/card/:merchantId`; null for an unknown path. */
  route: string | null
  status: number
  ms: number
  merchantId?: string
  /** Code of an error response. */
  code?: string
}
