/** The shop's own server refused, or failed. */
export class ShopServerError extends Error {
  override readonly name = 'ShopServerError'
  constructor(readonly status: number) {
    super(`The shop's server answered ${status}.`)
  }
}

/** Asks the shop's own server, whose session is a cookie. */
export async function askShop<answer>(
  path: string,
  { method = 'GET', body }: { method?: string; body?: object } = {},
): Promise<answer> {
  const response = await fetch(path, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new ShopServerError(response.status)
  // What the server of this very shop answers.
  return (response.status === 204 ? undefined : await response.json()) as answer
}

/** A session key of the member, from the shop's server. Asked again when the first has expired. */
export async function readSessionKey(): Promise<string> {
  return (await askShop<{ key: string }>('/shop-api/getSessionKey')).key
}
