import { userMessage } from 'redeemkit'
import { Problem } from '../payment/Problem.tsx'
import { useIsMember, useSession } from './useMember.ts'
import { useSignIn } from './useSignIn.ts'

/** Signs the connected wallet in: at the payments service by a message, and with that at the shop's own server. */
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
          {isPending ? 'Look at your wallet' : 'Sign in with your wallet'}
        </button>
      )}
      {error && (
        <Problem title="You are not signed in." error={error}>
          {userMessage(error, { about: 'other' })}
        </Problem>
      )}
    </div>
  )
}
