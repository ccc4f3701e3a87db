import { createPaymentsClient } from 'redeemkit'
import { createPublicClient, http } from 'viem'
import { baseOf, besideSandbox } from '../besideSandbox.ts'
import type { Start } from '../example.ts'
import { payInPortuguese } from './index.ts'

/** Alice pays Bob, and rejects the second payment. */
export const start: Start = ({ say }) =>
  besideSandbox({ say }, async (sandbox) => {
    const { alice, bob } = sandbox.accounts
    const base = baseOf(sandbox)
    const client = createPaymentsClient({
      baseUrl: sandbox.url,
      merchantId: sandbox.merchantId,
      blockchain: 'base',
      environment: 'sandbox',
    })
    const said: string[] = []
    const pay = (signer: Parameters<typeof payInPortuguese>[1]['signer']) =>
      payInPortuguese(client, {
        wallet: alice.address,
        signer,
        publicClient: createPublicClient({ transport: http(base.rpcUrl) }),
        pinned: base.pinned,
        shop: bob.address,
        say: (text) => said.push(`  ${text}`),
      })
    say('Alice pays')
    await pay(alice.account)
    say('Alice rejects the request in her wallet')
    await pay({
      request: async ({ method }: { method: string }) => {
        if (/accounts$/i.test(method)) return [alice.address]
        if (method === 'eth_chainId') return `0x${base.chainId.toString(16)}`
        throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
      },
    })
    return { succeeded: true, howTo: `What the page said:\n\n${said.join('\n')}` }
  })
