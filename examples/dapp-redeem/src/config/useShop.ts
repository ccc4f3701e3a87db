import { createContext, useContext } from 'react'
import type { Redeemkit } from 'redeemkit/react'
import type { ShopConfig } from './shopConfig.ts'

export type Shop = ShopConfig & {
  /** For what members alone may ask. */
  memberKit: Redeemkit
}

export const ShopContext = createContext<Shop | undefined>(undefined)

/** What the shop's server says (addresses, pins, the payments service), and what members ask with. */
export function useShop(): Shop {
  const shop = useContext(ShopContext)
  if (shop === undefined) throw new Error('There is no ShopContext above this component.')
  return shop
}
