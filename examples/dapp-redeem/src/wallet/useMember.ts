import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useConnection } from 'wagmi'
import { askShop } from '../shopServer.ts'

const queryKey = ['lampfall-session']

/** Whether the connected wallet is signed in at the shop's server; `undefined` before that is known. */
export function useIsMember(): boolean | undefined {
  const { address } = useConnection()
  const { data } = useQuery({
    queryKey,
    queryFn: () => askShop<{ wallet: string | null }>('/session'),
  })
  if (data === undefined) return undefined
  return address !== undefined && data.wallet?.toLowerCase() === address.toLowerCase()
}

/** Opens a session at the shop's server with what the wallet signed, and ends it. */
export function useSession() {
  const client = useQueryClient()
  const onSuccess = () => client.invalidateQueries({ queryKey })
  return {
    open: useMutation({
      mutationFn: ({ wallet, signedMessage }: { wallet: string; signedMessage: string }) =>
        askShop('/session', { method: 'POST', body: { wallet, signedMessage } }),
      onSuccess,
    }),
    end: useMutation({ mutationFn: () => askShop('/session', { method: 'DELETE' }), onSuccess }),
  }
}
