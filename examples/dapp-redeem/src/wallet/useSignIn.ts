import { useMutation } from '@tanstack/react-query'
import { login } from 'redeemkit'
import { type EvmSigner, evmAdapter } from 'redeemkit/evm'
import { useRedeemkit } from 'redeemkit/react'
import { useConnection, usePublicClient } from 'wagmi'
import { useShop } from '../config/useShop.ts'
import { useSession } from './useMember.ts'

/** Signs the connected wallet in: at the payments service, and with that at the shop's own server. */
export function useSignIn() {
  const { blockchain, chainId } = useShop()
  const chain = usePublicClient()
  const { client } = useRedeemkit()
  const { connector } = useConnection()
  const { open } = useSession()
  return useMutation({
    mutationFn: async () => {
      if (connector === undefined) throw new Error('There is no wallet to sign in with.')
      const signer = (await connector.getProvider()) as EvmSigner // a connector's provider is one of EIP-1193
      await open.mutateAsync(
        await login(client, { adapter: evmAdapter({ signer, blockchain, chainId, client: chain }) }),
      )
    },
  })
}
