import { createMerchantClient } from './createMerchantClient.ts'

export const apiKey = 'sk_live_Zq7RtY2mXw9Kp4Lc8Vb1'

export type Sent = {
  method: string
  url: string
  headers: Record<string, string>
  body: unknown
}

/** The last answer is repeated. An error breaks the connection; an object with a `status` is sent with it, others with a 200. */
export function service({ answers = [], ...options }: ServiceOptions) {
  const sent: Sent[] = []
  const left = [...answers]
  const client = createMerchantClient({
    baseUrl: 'https://service.example',
    apiKey,
    merchantId: 'shop',
    sleep: async () => {},
    ...options,
    fetch: async (url, { method = 'GET', headers, body }) => {
      const text = typeof body === 'string' ? JSON.parse(body) : undefined
      sent.push({ method, url, headers: Object.fromEntries(new Headers(headers)), body: text })
      return toResponse(left.length > 1 ? left.shift() : left[0])
    },
  })
  return { client, sent }
}

type ServiceOptions = Partial<createMerchantClient.Options> & { answers?: readonly unknown[] }

function toResponse(answer: unknown): Response {
  if (answer instanceof Error) throw answer
  if (answer instanceof Response) return answer.clone()
  const { status, body } = Object(answer)
  return typeof status === 'number'
    ? new Response(JSON.stringify(body), { status })
    : new Response(JSON.stringify(answer))
}
