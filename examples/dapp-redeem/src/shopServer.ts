export class ShopServerError extends Error {
  override readonly name = 'ShopServerError'
  constructor(readonly status: number) {
    super(`The shop's server returned ${status}.`)
  }
}

/** A cookie identifies the session. */
export async function askShop<answer>(
  path: string,
  { method = 'GET', body }: { method?: string; body?: object } = {},
): Promise<answer> {
  const response = await fetch(path, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new ShopServerError(response.status)
  // The shop's own server is trusted.
  return (response.status === 204 ? undefined : await response.json()) as answer
}

/** Called again once the first key has expired. */
export async function readSessionKey(): Promise<string> {
  return (await askShop<{ key: string }>('/shop-api/getSessionKey')).key
}
