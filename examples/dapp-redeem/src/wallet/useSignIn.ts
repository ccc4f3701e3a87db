import { useLogin } from 'redeemkit/react'
import { useSession } from './useMember.ts'

/** Signs the connected wallet in: at the payments service, and with that at the shop's own server. */
export function useSignIn() {
  const { open } = useSession()
  return useLogin({
    mutation: {
      // The sign-in is done when the shop's server has taken it, too.
      onSuccess: ({ wallet, signedMessage }) => open.mutateAsync({ wallet, signedMessage }),
    },
  })
}
