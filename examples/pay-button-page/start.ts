import { startSandbox } from '@redeemkit/sandbox'
import { servePage } from './servePage.ts'

// A whole service with its chain on this machine, and the page of one order; ends with Ctrl+C.

const sandbox = await startSandbox({ blockchain: 'base', onProgress: (text) => console.log(`  ${text}`) })
const { base } = sandbox.chains
if (base === undefined) throw new Error('There is no such chain.')
const page = await servePage({
  port: 4243,
  findOrder: (id) =>
    /^\d+$/.test(id)
      ? {
          id,
          title: `Order ${id}`,
          cents: 1000,
          usdcCents: 400,
          shop: sandbox.people.bob.address,
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
console.log(`
Open ${page.url}/1024/ in a browser with a wallet. Any number is an order; take another one after a
restart, because the chain is new and the browser remembers what it paid.
Give the wallet the network ${base.rpcUrl}, chain ${base.chainId}, and this key, which is public and worth nothing elsewhere:
${sandbox.people.alice.privateKey}
Press Ctrl+C to stop.`)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    await Promise.all([page.close(), sandbox.stop()])
  })
