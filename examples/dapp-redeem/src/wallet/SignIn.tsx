import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { RedeemkitProvider, useLogin } from 'redeemkit/react'
import { useConnection } from 'wagmi'
import { useShop } from '../config.tsx'
import { askShop } from '../orders.ts'
import { Problem } from '../payment/Problem.tsx'

const queryKey = ['lampfall-session']

function useIsMember(): boolean | undefined {
  const { address } = useConnection()
  const { data } = useQuery({
    queryKey,
    queryFn: () => askShop<{ wallet: string | null }>('/session'),
  })
  if (data === undefined) return undefined
  return address !== undefined && data.wallet?.toLowerCase() === address.toLowerCase()
}

function useSession() {
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

function useSignIn() {
  const { open } = useSession()
  return useLogin({
    mutation: {
      // The visitor is signed in only after the shop's server has accepted the credential.
      onSuccess: ({ wallet, signedMessage }) => open.mutateAsync({ wallet, signedMessage }),
    },
  })
}

export function SignIn() {
  const isMember = useIsMember()
  const { end } = useSession()
  const signIn = useSignIn()
  const { isPending } = signIn
  const error = signIn.error ?? end.error
  if (isMember === undefined) return null
  return (
    <div className="stack">
      {isMember ? (
        <div className="pay-head">
          <p>
            <span className="tag tag-good">Signed in</span>
          </p>
          <button type="button" className="link-button" onClick={() => end.mutate()}>
            Sign out
          </button>
        </div>
      ) : (
        <button
          type="button"
          className="button button-wide"
          aria-disabled={isPending}
          onClick={() => {
            if (!isPending) signIn.mutate({})
          }}
        >
          {isPending && <span className="spinner" aria-hidden="true" />}
          {isPending ? 'Check your wallet' : 'Sign in with your wallet'}
        </button>
      )}
      {error && <Problem title="You are not signed in." error={error} />}
    </div>
  )
}

/** Renders its children for members only; otherwise asks for a wallet, then for its sign-in. */
export function MembersOnly(props: { why: string; onConnect: () => void; children: ReactNode }) {
  const { why, onConnect, children } = props
  const { address } = useConnection()
  const { memberKit } = useShop()
  const isMember = useIsMember()
  if (address !== undefined && isMember === true)
    return (
      <RedeemkitProvider key={address} kit={memberKit}>
        {children}
      </RedeemkitProvider>
    )
  return (
    <div className="card stack">
      <p>{why}</p>
      {address === undefined ? (
        <button type="button" className="button button-wide" onClick={onConnect}>
          Connect a wallet
        </button>
      ) : (
        <SignIn />
      )}
    </div>
  )
}
