import { startShop } from './server/startShop.ts'

/** Starts the shop, its payments service and a chain on this machine. */
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
    howTo: `Connect "Test wallet" on the page. Or add the network ${config.rpcUrl}, chain ${config.chainId},
to your own wallet, and import this key, which is public and worthless elsewhere:
${sandbox.accounts.alice.privateKey}

Activity of the payments service: ${sandbox.url}/dashboard`,
    close: stop,
  }
}
