import { useLogin } from 'redeemkit/react'

/** Signs the connected wallet in, first with the payments service, then with your own server. */
export function SignIn() {
  const { session, mutate, isPending, userMessage } = useLogin({
    mutation: {
      onSuccess: async ({ wallet, blockchain, signedMessage }) => {
        // Your server passes the credential to `verifyAuth` and sets its own cookie.
        const answer = await fetch('/session', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ wallet, blockchain, signedMessage }),
        })
        if (!answer.ok) throw new Error(`Your server returned ${answer.status}.`)
      },
    },
  })
  // Your server has accepted the credential too.
  if (session && !isPending && !userMessage) return <p>Signed in as {session.wallet}</p>
  return (
    <>
      <button type="button" disabled={isPending} onClick={() => mutate({})}>
        Sign in with your wallet
      </button>
      <p role="alert">{userMessage}</p>
    </>
  )
}
