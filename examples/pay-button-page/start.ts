import { baseOf, besideSandbox, type Start } from '../run/besideSandbox.ts'
import { servePage } from './servePage.ts'

/** Starts a payments service with its chain, and the page of an order. */
export const start: Start = ({ say, port = 4243 }) =>
  besideSandbox({ say }, async (sandbox) => {
    const base = baseOf(sandbox)
    say('Bundling the page')
    const page = await servePage({
      port,
      findOrder: (id) =>
        /^\d+$/.test(id)
          ? {
              id,
              title: `Order ${id}`,
              cents: 1000,
              usdcCents: 400,
              shop: sandbox.accounts.bob.address,
              merchantId: sandbox.merchantId,
              blockchain: 'base',
              environment: sandbox.environment,
              chainId: base.chainId,
              baseUrl: sandbox.url,
              rpcUrl: base.rpcUrl,
              pinned: base.pinned,
            }
          : undefined,
    })
    return {
      url: `${page.url}/1024/`,
      howTo: `
Open it in a browser with a wallet. Any number in the URL is an order. Use a new number after a restart, because the
chain is new and the browser remembers its payments.

Add this network to the wallet:  ${base.rpcUrl}, chain ${base.chainId}
and import this key, which is public and worthless elsewhere:
  ${sandbox.accounts.alice.privateKey}`,
      close: page.close,
    }
  })
