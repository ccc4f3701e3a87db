import { askShop } from '../shopServer.ts'

/** A session key of the member, from the shop's server. Asked again when the first has expired. */
export async function readSessionKey(): Promise<string> {
  return (await askShop<{ key: string }>('/shop-api/getSessionKey')).key
}
