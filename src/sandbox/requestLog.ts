/** What is told of a request when it has been answered. No header, no query, no body: nothing in it is a secret. */
export type RequestLogEntry = {
  /** By the service's clock, ISO 8601. */
  time: string
  /** As in `x-request-id` of the answer. */
  id: string
  /** The caller's own `x-request-id`, when it is 1 to 64 letters, digits, `.`, `_`, `:` or `-`. */
  callerId?: string
  method: string
  /** As `/api/checkout/card/:merchantId`; null for a path that is not there. */
  route: string | null
  status: number
  ms: number
  merchantId?: string
  /** Of the error that was answered. */
  code?: string
}
