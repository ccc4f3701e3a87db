import { startShop } from './server/startShop.ts'

/** The shop, its payments service and a chain on this machine. */
export async function start({
  say,
  port = 4244,
}: {
  say: (text: string) => void
  port?: number | undefined
}) {
  const { url, config, sandbox, stop } = await startShop({ port, onProgress: say })
  return {
    url,
    howTo: `Connect "Test wallet" in the page. Or give a wallet of your own the network ${config.rpcUrl},
chain ${config.chainId}, and this key, which is public and worth nothing elsewhere:
${sandbox.people.alice.privateKey}

What happens at the payments service: ${sandbox.url}/dashboard`,
    close: stop,
  }
}
