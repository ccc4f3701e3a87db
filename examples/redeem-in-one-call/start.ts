import { createPublicClient, http } from 'viem'
import { baseOf, besideSandbox } from '../besideSandbox.ts'
import type { Start } from '../example.ts'
import { receiptText } from '../receiptText.ts'
import { payTenDollars } from './index.ts'

/** Alice pays Bob 10 dollars on this machine. */
export const start: Start = ({ say }) =>
  besideSandbox({ say }, async (sandbox) => {
    const { alice, bob } = sandbox.accounts
    const base = baseOf(sandbox)
    say('Alice pays Bob 10 dollars')
    const outcome = await payTenDollars({
      orderId: 'order 1',
      baseUrl: sandbox.url,
      signer: alice.account,
      publicClient: createPublicClient({ transport: http(base.rpcUrl) }),
      pinned: base.pinned,
      shop: bob.address,
    })
    return { succeeded: true, howTo: receiptText(outcome) }
  })
