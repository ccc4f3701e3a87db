import { useQuery } from '@tanstack/react-query'
import { findRedeem } from 'redeemkit'
import { usePrepareRedeem } from 'redeemkit/react'
import { useConnection, usePublicClient } from 'wagmi'
import { useShop } from '../config/useShop.ts'
import type { PaidRedeem } from './Receipt.tsx'

/** What the chain says of an order that was paid before this page was loaded. Reads only; no wallet is asked. */
export function usePaidRedeem(
  order: usePrepareRedeem.Parameters,
  { isPaid }: { isPaid: boolean },
): { paid: PaidRedeem | undefined; error: Error | null; readAgain: () => void } {
  const { chainId, pinned } = useShop()
  const { address: wallet } = useConnection()
  const client = usePublicClient()
  // The same question as the button's, which is asked once for both.
  const { data: checked } = usePrepareRedeem({ ...order, query: { enabled: isPaid } })
  const nonce = checked?.state === 'redeemed' ? checked.nonce : undefined
  const { creditsContract } = pinned
  const { data, error, refetch } = useQuery({
    queryKey: ['lampfall-paid', chainId, creditsContract, wallet, nonce],
    enabled: isPaid && client !== undefined && wallet !== undefined && nonce !== undefined,
    queryFn: async (): Promise<PaidRedeem> => {
      if (client === undefined || wallet === undefined || nonce === undefined)
        throw new Error('Nobody knows yet which payment it was.')
      const { outcome } = await findRedeem(client, { wallet, nonce, creditsContract, chainId })
      if (outcome === undefined) throw new Error('The chain has the payment, and not its event.')
      return { wallet, nonce, creditsContract, chainId, hash: outcome.hash, outcome }
    },
  })
  return { paid: data, error, readAgain: () => void refetch() }
}
