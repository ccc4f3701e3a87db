import { concatHex, type Hex, pad } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { createPaymentsClient, redeem } from '../../../src/redeemkit/index.ts'
import { randomNonceChain } from '../../../src/redeemkit/redeem/randomNonce.fixture.ts'
import { erc20Log } from '../../../src/redeemkit/redeem/redeem.fixture.ts'
import { describedService } from './describedService.ts'

/*
 * A whole redeem at the described service. The chain is a stand-in: the service's transaction has the wallet and the
 * nonce in its call data, and moves USDC out of the credits contract.
 */

const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const contract: Hex = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const usdc: Hex = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const shop: Hex = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

function open() {
  const chain = randomNonceChain()
  chain.state.timestamp = BigInt(Math.floor(Date.now() / 1000))
  let mined = 0
  const service = describedService({
    headerPrefix: 'x-other-',
    domain: { name: 'Credits', version: '1', chainId: 84532, verifyingContract: contract },
    creditSeed: 'shop',
    hashOf: ({ wallet, permit }) => {
      const hash: Hex = `0x${`${++mined}`.padStart(64, '0')}`
      const input = concatHex(['0x11223344', pad(wallet), permit.nonce])
      const logs = [erc20Log(contract, shop, 10_000_000n, usdc)]
      chain.state.transactions.push({ hash, input, block: 1_000n, logs })
      return hash
    },
  })
  const client = createPaymentsClient({
    baseUrl: 'https://service.example/api',
    headerPrefix: 'x-other-',
    merchantId: 'shop',
    blockchain: 'base',
    environment: 'sandbox',
    fetch: service.app.request,
    sleep: async () => {},
  })
  const pay = (change: Partial<redeem.Options> = {}) =>
    redeem(client, {
      signer: account,
      publicClient: chain,
      pinned: { creditsContract: contract, creditSeed: 'shop', intentBound: false },
      subtotal: { cents: 1000 },
      transactionData: { type: 'token', destination: shop },
      sleep: async () => {},
      ...change,
    })
  const submits = () => service.requests.filter(({ path }) => path.endsWith('/sendGaslessTx'))
  return { chain, service, pay, submits }
}

describe('redeem at the described service', () => {
  test('ends with the outcome on chain', async () => {
    const { pay, chain } = open()
    const { outcome } = await pay()
    expect(outcome).toMatchObject({
      intentBound: false,
      carriesPermit: true,
      hash: chain.state.transactions[0]?.hash,
      movements: [{ direction: 'paid', from: contract, to: shop, amount: 10_000_000n }],
    })
  })

  test('pays a USDC part that the service’s response omits', async () => {
    const { pay, submits } = open()
    await pay({ usdcAmount: { cents: 400 } })
    expect(submits()[0]?.body).toMatchObject({
      signedMessages: { customerUsdcAuthData: { from: account.address, to: contract, value: '4000000' } },
    })
  })

  test('signs a second permit after the fee has risen', async () => {
    const { pay, service, submits } = open()
    const { hash } = await pay({
      onStep: ({ step }) => {
        // Between the first signature and its submit.
        if (step === 'signed' && submits().length === 0) service.redeem.state.gasFee = 40_000
      },
    })
    expect(hash).toMatch(/1$/)
    expect(submits()).toHaveLength(2)
  })

  test('sends the same permit again when the service could not respond', async () => {
    const { pay, submits, service } = open()
    service.answerNext('/api/redeem/evm/sendGaslessTx', () => new Response('Bad Gateway', { status: 502 }))
    const { nonce } = await pay()
    expect(submits().map(({ body }) => body)).toMatchObject([{ nonce }, { nonce }])
  })
})
