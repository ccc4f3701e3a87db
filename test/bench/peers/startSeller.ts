import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Address, createWalletClient, type Hex, http, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { usdcToken } from '../../../src/redeemkit/evm/index.ts'
import { waitForReceipt } from '../../../src/sandbox/chains/waitForReceipt.ts'
import type { RunningSandbox, SandboxChain } from '../../../src/sandbox/index.ts'
import { publicClient } from '../../service/sandboxClient.ts'

const abi = parseAbi([
  'function transferWithAuthorization(address, address, uint256, uint256, uint256, bytes32, bytes)',
])

/** An x402 seller (version 2, scheme `exact`): asks for 10.00 USDC, submits the authorization, and responds when it is mined. */
export async function startSeller(
  sandbox: RunningSandbox,
  chain: SandboxChain,
): Promise<{ url: string; close: () => void }> {
  const account = privateKeyToAccount(generatePrivateKey())
  await sandbox.fund({ wallet: account.address, coin: 10n ** 18n })
  const { name, version } = usdcToken({ chainId: chain.chainId })
  const requirements = {
    scheme: 'exact',
    network: `eip155:${chain.chainId}`,
    asset: chain.usdc,
    amount: '10000000',
    payTo: sandbox.accounts.bob.address,
    maxTimeoutSeconds: 300,
    extra: { name, version },
  }
  const required = { x402Version: 2, resource: { url: '/' }, accepts: [requirements] }
  const asks = Buffer.from(JSON.stringify(required)).toString('base64')
  const wallet = createWalletClient({ account, transport: http(chain.rpcUrl) })
  const settle = async ({ authorization: asked, signature }: Payment): Promise<Hex> => {
    const { from, to, value, validAfter, validBefore, nonce } = asked
    const hash = await wallet.writeContract({
      address: chain.usdc,
      abi,
      functionName: 'transferWithAuthorization',
      args: [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce, signature],
      chain: null,
    })
    const { status } = await waitForReceipt(publicClient(chain.rpcUrl), hash)
    if (status !== 'success') throw new Error('The payment of the buyer reverted.')
    return hash
  }
  const server = createServer(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', '*')
    response.setHeader('access-control-expose-headers', '*')
    const payment = paymentOf(request)
    if (request.method === 'OPTIONS') response.writeHead(204).end()
    else if (payment === undefined) response.writeHead(402, { 'payment-required': asks }).end()
    else response.writeHead(200).end(JSON.stringify({ hash: await settle(payment) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // an object, because the server listens on TCP
  return {
    url: `http://127.0.0.1:${port}/paid`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

type Payment = {
  authorization: Record<'value' | 'validAfter' | 'validBefore', string> & {
    from: Address
    to: Address
    nonce: Hex
  }
  signature: Hex
}

function paymentOf({ headers }: IncomingMessage): Payment | undefined {
  const header = headers['payment-signature']
  if (typeof header !== 'string') return undefined
  return JSON.parse(Buffer.from(header, 'base64').toString()).payload
}
