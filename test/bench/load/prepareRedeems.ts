import {
  createPublicClient,
  getAbiItem,
  type Hex,
  http,
  keccak256,
  stringToHex,
  toEventSelector,
  toHex,
} from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { creditsAbi } from '../../../contracts/generated/Credits.ts'
import { settlementOf } from '../../../src/redeemkit/evm/transactionData/settlementOf.ts'
import type { TransactionData } from '../../../src/redeemkit/schema/index.ts'
import { supplyCall } from '../../../src/sandbox/contracts/creditsCalls.ts'
import { devAccount } from '../../../src/sandbox/devAccounts.ts'
import type { RunningSandbox, SandboxChain } from '../../../src/sandbox/index.ts'
import { redeemCall, redeemRequest } from '../../../src/sandbox/simulation/redeemRequest.ts'

export type PreparedRedeem = { body: string; headers: Record<string, string>; call: { to: Hex; data: Hex } }

/** Each is for a separate customer with credits. */
export async function prepareRedeems(
  sandbox: RunningSandbox,
  options: { chain: SandboxChain; round: string; count: number },
): Promise<PreparedRedeem[]> {
  const { chain, round, count } = options
  const customers = Array.from({ length: count }, (_, number) =>
    privateKeyToAccount(keccak256(stringToHex(`bench ${round} ${number}`))),
  )
  await giveCredits(chain, {
    creditSeed: sandbox.creditSeed,
    wallets: customers.map(({ address }) => address),
  })
  const prepared: PreparedRedeem[] = []
  const size = 25
  for (let from = 0; from < count; from += size) {
    const some = customers.slice(from, from + size)
    prepared.push(...(await Promise.all(some.map((customer) => prepareRedeem(sandbox, { chain, customer })))))
  }
  return prepared
}

/** Mints in one batch, with the key of the sandbox's bank. */
async function giveCredits(
  chain: SandboxChain,
  { creditSeed, wallets }: { creditSeed: string; wallets: readonly Hex[] },
): Promise<void> {
  const client = createPublicClient({ transport: http(chain.rpcUrl) })
  const { account } = devAccount('bank')
  const calls = wallets.map((wallet) => ({
    call: supplyCall(chain, 'mint', { creditSeed, wallet, amount: 10_000_000n }),
  }))
  const nonce = await client.getTransactionCount({ address: account.address })
  const bodies = await rawSends(calls, { chain, account, nonce })
  await fetch(chain.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `[${bodies.join(',')}]`,
  })
  while ((await client.getTransactionCount({ address: account.address })) < nonce + wallets.length)
    await new Promise((done) => setTimeout(done, 20))
}

async function prepareRedeem(
  { app, merchantId, creditSeed, accounts }: RunningSandbox,
  { chain, customer }: { chain: SandboxChain; customer: PrivateKeyAccount },
): Promise<PreparedRedeem> {
  const transactionData: TransactionData = { type: 'token', destination: accounts.bob.address }
  const asked = { merchantId, subtotal: { cents: 100 }, transactionData }
  const headers = {
    'x-svc-auth-wallet': customer.address,
    'x-svc-auth-blockchain': chain.blockchain,
  }
  const response = await app.request('/api/redeem/evm/creditsAuthMsg', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(asked),
  })
  const answer = await response.json()
  if (response.status !== 200) throw new Error(`creditsAuthMsg: ${JSON.stringify(answer)}`)
  const { types, message, ...rest } = JSON.parse(answer.message)
  const { EIP712Domain: _, ...own } = types
  const signature = await customer.signTypedData({
    ...rest,
    types: own,
    message: { ...message, amount: BigInt(message.amount), validBefore: BigInt(message.validBefore) },
  })
  const { validBefore, nonce, creditsRawAmount, salt } = answer
  const request = redeemRequest({
    permit: {
      customerWallet: customer.address,
      creditSeed,
      amount: BigInt(creditsRawAmount),
      validBefore: BigInt(validBefore),
      nonce,
    },
    signature,
    salt,
    intent: { settlement: settlementOf(transactionData), amount: 1_000_000n, usdcAmount: 0n },
    gasFee: 10_000n,
  })
  return {
    headers,
    body: JSON.stringify({
      ...asked,
      signedMessages: { permitCredits: signature },
      validBefore,
      nonce,
      creditsRawAmount,
    }),
    call: redeemCall(chain, request),
  }
}

/** Raw transactions of one account with consecutive nonces, for a node without a service. */
export async function rawSends(
  redeems: readonly Pick<PreparedRedeem, 'call'>[],
  { chain, account, nonce }: { chain: SandboxChain; account: PrivateKeyAccount; nonce: number },
): Promise<string[]> {
  return Promise.all(
    redeems.map(async ({ call }, index) => {
      const raw = await account.signTransaction({
        type: 'eip1559',
        chainId: chain.chainId,
        nonce: nonce + index,
        ...call,
        gas: 300_000n,
        maxFeePerGas: 1_000_000_000n,
        maxPriorityFeePerGas: 0n,
      })
      return JSON.stringify({
        jsonrpc: '2.0',
        id: index,
        method: 'eth_sendRawTransaction',
        params: [raw],
      })
    }),
  )
}

export const quantity = (value: bigint | number): Hex => toHex(value)

export const redeemedTopic: Hex = toEventSelector(getAbiItem({ abi: creditsAbi, name: 'Redeemed' }))
