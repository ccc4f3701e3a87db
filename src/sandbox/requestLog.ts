/** Log entry of an answered request. It has no headers, query or body, so it contains no secrets. */
export type RequestLogEntry = {
  /** Time by the service's clock, ISO 8601. */
  time: string
  /** The `x-request-id` of the response. */
  id: string
  /** The caller's `x-request-id`, if it has 1 to 64 letters, digits, `.`, `_`, `:` or `-`. */
  callerId?: string
  method: string
  /** The route's pattern, such as `/api/checkout/card/:merchantId`; null for an unknown path. */
  route: string | null
  status: number
  ms: number
  merchantId?: string
  /** Code of the error, if the response is one. */
  code?: string
}
