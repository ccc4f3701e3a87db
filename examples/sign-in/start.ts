import { besideSandbox } from '../besideSandbox.ts'
import type { Start } from '../example.ts'
import { signIn } from './index.ts'

/** Alice signs in. */
export const start: Start = ({ say }) =>
  besideSandbox({ say }, async (sandbox) => {
    say('Alice signs in')
    const { wallet, blockchain } = await signIn({
      baseUrl: sandbox.url,
      signer: sandbox.accounts.alice.account,
    })
    return { succeeded: true, howTo: `Signed in: ${wallet} on ${blockchain}` }
  })
